import type { CommandAction } from '../../../kernel/contracts/command.js';
import { untilAskedToStop } from '../../../kernel/process/index.js';
import { runMcpServer } from '../cli/run-mcp-server.js';

/** `fw start mcp-server`: the server of `fw-mcp`, with the same flags; see `fw start mcp-server --help`. */
const mcpServer: CommandAction<unknown, readonly string[]> = ({ args, cwd }) =>
  runMcpServer({
    command: 'fw start mcp-server',
    args,
    environment: process.env,
    cwd,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: untilAskedToStop().aborted,
  });

export default mcpServer;
