#!/usr/bin/env node
import path from 'node:path';
import { runContainer } from './run-container.js';

// dist/plugins/tools/provisioning/container/entrypoint.js of the framework's package.
const dist = path.resolve(import.meta.dirname, '../../../..');

process.exitCode = await runContainer({
  environment: process.env,
  workspace: '/workspace',
  fw: path.join(dist, 'kernel/bin/fw.js'),
  fwMcp: path.join(dist, 'plugins/mcp/bin/fw-mcp.js'),
  say: (line) => process.stderr.write(`entrypoint: ${line}\n`),
});
