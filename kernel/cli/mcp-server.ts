import { Command } from 'commander';
import { untilSignal } from './signals.js';

/** `fw start mcp-server`: the server of `fw-mcp`, with the same flags; see `fw start mcp-server --help`. */
export function mcpServerCommand(finish: (exitCode: number) => void): Command {
  return (
    new Command('mcp-server')
      .description('Serve the tools of the control plane over MCP; flags as for fw-mcp')
      // The flags are those of fw-mcp, read in one place.
      .helpOption(false)
      .allowUnknownOption()
      .argument('[flags...]')
      .action(async (flags: readonly string[]) => finish(await serve(flags)))
  );
}

async function serve(args: readonly string[]): Promise<number> {
  const { runMcpServer } = await import('../../plugins/mcp/cli/run-mcp-server.js');
  return runMcpServer({
    command: 'fw start mcp-server',
    args,
    environment: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: untilSignal().aborted,
  });
}
