import { once } from 'node:events';
import { type RunningProcess, startProcess, untilAskedToStop } from '../../../../kernel/process/index.js';
import { CONTAINER_PORTS } from '../runtime/container-ports.js';
import { CONTAINER_VARIABLES } from '../runtime/container-variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment of the processes of a container. */
interface ContainerSurroundings {
  readonly environment: Environment;
  /** The only folder that the control address can access. */
  readonly workspace: string;
  /** Program files of `fw` and `fw-mcp`. */
  readonly fw: string;
  readonly fwMcp: string;
  say(line: string): void;
}

/** A process of the container. */
interface Part {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

// The runtime kills the container after ten seconds; the application gets most of that time to finish its requests and flush its spans.
const GRACE_MS = 6_000;
const LAST_GRACE_MS = 2_000;

/**
 * Runs the processes of a container: the aggregator when there is to be one, the control address, the application. Each process gets only
 * its own variables, so that the application never sees the token of the control address. When one process ends, all end.
 *
 * @returns exit code: 0 after a signal, else that of the process that ended
 */
export async function runContainer(from: ContainerSurroundings): Promise<number> {
  const parts = partsOf(from);
  if (typeof parts === 'string') {
    from.say(parts);
    return 1;
  }
  const stop = untilAskedToStop();
  const running: RunningProcess[] = [];
  try {
    for (const { args, env } of parts) {
      running.push(
        await startProcess({ command: process.execPath, args, cwd: from.workspace, env, output: 'inherit' }),
      );
    }
    return await firstEnd(parts, running, stop.aborted, from);
  } finally {
    await ended(running);
  }
}

/** The processes to run, in order, or the reason why they cannot run. */
export function partsOf({ environment, workspace, fw, fwMcp }: ContainerSurroundings): readonly Part[] | string {
  const token = environment[CONTAINER_VARIABLES.controlToken]?.trim();
  if (!token)
    return `${CONTAINER_VARIABLES.controlToken} is not set: without a token the control address must not be opened.`;
  const service = variablesIn(environment, CONTAINER_VARIABLES.service);
  const aggregator = variablesIn(environment, CONTAINER_VARIABLES.aggregator);
  const common = { NODE_ENV: 'production', HOST: '0.0.0.0' };
  const control = [
    '--mode',
    'generator',
    '--port',
    String(CONTAINER_PORTS.control),
    '--host',
    '0.0.0.0',
    '--workspace',
    workspace,
  ];
  return [
    ...(aggregator
      ? [
          {
            name: 'the aggregator',
            args: [fw, 'start', 'aggregator'],
            env: { ...common, ...aggregator, FLEET_HOST: '0.0.0.0', FLEET_PORT: String(CONTAINER_PORTS.aggregator) },
          },
        ]
      : []),
    { name: 'fw-mcp', args: [fwMcp, ...control], env: { [CONTAINER_VARIABLES.controlToken]: token } },
    {
      name: 'the application',
      args: [fw, 'start'],
      env: { ...common, ...service, ...appMcpVariables(environment), PORT: String(CONTAINER_PORTS.app) },
    },
  ];
}

function appMcpVariables(environment: Environment): Readonly<Record<string, string>> {
  const token = environment[CONTAINER_VARIABLES.appMcpToken];
  if (!token) return {};
  return { FW_MCP_TOKEN: token, FW_APP_MCP_PORT: String(CONTAINER_PORTS.appMcp), FW_APP_MCP_HOST: '0.0.0.0' };
}

function variablesIn(environment: Environment, name: string): Readonly<Record<string, string>> | undefined {
  const text = environment[name];
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, string>);
}

async function firstEnd(
  parts: readonly Part[],
  running: readonly RunningProcess[],
  signal: AbortSignal,
  { say }: ContainerSurroundings,
): Promise<number> {
  const asked = (signal.aborted ? Promise.resolve() : once(signal, 'abort')).then(() => undefined);
  const ends = running.map(async ({ exited }, index) => ({ exit: await exited, name: parts[index]?.name }));
  const first = await Promise.race([asked, ...ends]);
  if (first === undefined) return 0;
  const { exitCode, signal: by } = first.exit;
  say(`${first.name} ended (${by ?? `exit code ${exitCode}`}); the container ends with it`);
  return exitCode || 1;
}

// Ends the aggregator last, because the other processes send it their remaining spans. It was started first.
async function ended(running: readonly RunningProcess[]): Promise<void> {
  const [first, ...others] = running;
  await Promise.all(others.map((each) => each.stop({ graceMs: GRACE_MS })));
  await first?.stop({ graceMs: LAST_GRACE_MS });
}
