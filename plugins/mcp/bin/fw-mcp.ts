#!/usr/bin/env node
import { untilAskedToStop } from '../../../kernel/process/index.js';
import { runMcpServer } from '../cli/run-mcp-server.js';

const exitCode = await runMcpServer({
  command: 'fw-mcp',
  args: process.argv.slice(2),
  environment: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: untilAskedToStop().aborted,
});
// Connections that a tool left open must not keep the process alive, but output has to be flushed first.
process.stdout.write('', () => process.exit(exitCode));
