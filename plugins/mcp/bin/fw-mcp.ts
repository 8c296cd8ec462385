#!/usr/bin/env node
import { runMcpServer } from '../cli/run-mcp-server.js';

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());
process.once('SIGTERM', () => ending.abort());

const exitCode = await runMcpServer({
  command: 'fw-mcp',
  args: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: ending.signal,
});
// Connections that a tool left open must not keep the process; what was written must still arrive.
process.stdout.write('', () => process.exit(exitCode));
