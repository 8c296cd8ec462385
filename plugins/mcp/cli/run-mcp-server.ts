import path from 'node:path';
import { isFwError } from '../../../kernel/errors/index.js';
import { interruptedWrites } from '../../../kernel/fs/index.js';
import type { Logger } from '../../../kernel/index.js';
import { pathPolicy } from '../confinement/workspace-roots.js';
import { ControlPlane } from '../protocol/control-plane.js';
import { protocolOnlyStdout } from '../stdio/protocol-only-stdout.js';
import { serveStdio } from '../stdio/stdio-server.js';
import type { ServerFacts } from './banner.js';
import { commandLineTools } from './command-line-tools.js';
import { DeferredLogger } from './deferred-logger.js';
import { eventLog } from './event-log.js';
import { clientArguments, helpText, type McpServerFlags, parseFlags } from './flags.js';
import { stdioGuide } from './guide.js';

/** The surroundings of a server that was started from a command line. */
export interface McpServerSurroundings {
  /** How the program is called, for messages: `fw-mcp` or `fw start mcp-server`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WritableStream;
  /** Ends the server; calls that run are cancelled. */
  readonly signal: AbortSignal;
}

/**
 * Runs an MCP server until its input ends or the signal comes (SPEC "MCP server operations", flags).
 * @returns the exit code: 0 when it ended as asked, 1 when it could not start; the reason is on standard error
 */
export async function runMcpServer(from: McpServerSurroundings): Promise<number> {
  try {
    const flags = parseFlags(from.args, from.environment, from.cwd);
    if (flags === 'help') from.stdout.write(helpText(from.command));
    else await serve(flags, from);
    return 0;
  } catch (error) {
    if (!isFwError(error)) throw error;
    from.stderr.write(`${from.command}: ${error.message}\n`);
    return 1;
  }
}

async function serve(flags: McpServerFlags, from: McpServerSurroundings): Promise<void> {
  const paths = await pathPolicy(flags.workspace, from.cwd);
  const log = new DeferredLogger(async () => {
    const { createLogger } = await import('../../../kernel/log/index.js');
    return createLogger({ name: from.command, destination: from.stderr, level: 'warn' });
  });
  await reportInterruptedWrites(paths.roots ?? [paths.workspace], from);
  const { config, plugins } = flags;
  const { cwd, signal } = from;
  const tools = await commandLineTools({ config, plugins, cwd, root: paths.workspace, log, signal });
  try {
    const plane = new ControlPlane({
      tools: tools.tools,
      mode: flags.mode,
      scope: flags.scope,
      workspaceTools: flags.mode === 'generator',
      paths,
      log,
      elsewhere: (tool) => packageWith(tool, paths.workspace),
      ...(flags.log && { observe: eventLog(from.command, (line) => from.stderr.write(line)) }),
    });
    await (flags.port === 0 ? overStdio(plane, flags, from) : overNetwork(plane, flags, log, from));
  } finally {
    await tools.stop();
    await log.flushed();
  }
}

// Names the project's package that has an unknown tool: its code runs here only if the operator allows it.
async function packageWith(tool: string, workspace: string): Promise<string | undefined> {
  const { packageManifests } = await import('../../../kernel/manifests/index.js');
  const { found } = await packageManifests(workspace);
  const by = found.find(({ manifest }) => manifest.tools?.includes(tool));
  return (
    by &&
    `The package ${by.owner} brings it: start this server with --config, and a configuration that lists its plugin.`
  );
}

// Reports interrupted writes at the start, without repairing them, because no caller has shown permission to write yet.
async function reportInterruptedWrites(
  folders: readonly string[],
  { command, cwd, stderr }: McpServerSurroundings,
): Promise<void> {
  for (const folder of folders) {
    const found = await interruptedWrites(path.resolve(cwd, folder)).catch((error: unknown) => [
      { text: `whether a write was interrupted in ${folder} cannot be told: ${(error as Error).message}` },
    ]);
    for (const { text } of found) stderr.write(`${command}: ${text}\n`);
  }
}

async function overStdio(plane: ControlPlane, flags: McpServerFlags, from: McpServerSurroundings): Promise<void> {
  const { output, release } = protocolOnlyStdout(from.stdout, from.stderr);
  if (from.stdin.isTTY) from.stderr.write(stdioGuide(factsOf(plane, flags, from)));
  try {
    await serveStdio(plane, { input: from.stdin, output }, from.signal);
  } finally {
    from.stdin.pause();
    release();
  }
}

async function overNetwork(
  plane: ControlPlane,
  flags: McpServerFlags,
  log: Logger,
  from: McpServerSurroundings,
): Promise<void> {
  const { stdin, stderr, signal } = from;
  const { serveNetwork } = await import('./serve-network.js');
  const surroundings = { stderr, terminal: stdin.isTTY === true, signal };
  await serveNetwork(plane, flags, factsOf(plane, flags, from), log, surroundings);
}

function factsOf(plane: ControlPlane, flags: McpServerFlags, { command, cwd }: McpServerSurroundings): ServerFacts {
  const { mode, scope, reachable: tools, paths } = plane;
  return { command, mode, scope, tools, roots: paths.roots, clientArguments: clientArguments(flags, cwd) };
}
