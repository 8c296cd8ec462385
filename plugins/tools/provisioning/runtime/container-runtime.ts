import { tmpdir } from 'node:os';
import { fwError, runProcess, type RunResult } from '../../../../kernel/index.js';
import { PROVISIONING_ERRORS } from '../errors.js';
import { checkArguments, TEMPLATES } from './argument-check.js';
import { CONTAINER_PORTS, type HostPorts, type PortPurpose } from './container-ports.js';
import type { ContainerVariable } from './container-variables.js';
import { RUNTIME_VARIABLES } from './find-runtime.js';

const MINUTE_MS = 60_000;
const QUICK_MS = 30_000;
const STOP_SECONDS = 10;
const LAST_LINES = 20;
const MAX_OUTPUT_BYTES = 200_000;

/** A container to start. */
export interface ContainerSpec {
  readonly name: string;
  readonly service: string;
  /** Label of what one call has made, so that its clean-up removes nothing else. */
  readonly call: string;
  readonly image: string;
  readonly ports: HostPorts;
  /** Values are passed in the environment of the runtime, never in arguments or files. */
  readonly variables: Readonly<Partial<Record<ContainerVariable, string>>>;
  readonly network: string | undefined;
}

/** State of a container. */
interface ContainerState {
  readonly running: boolean;
  readonly exitCode: number;
  /** Result of the image's health check, if it has one. */
  readonly health: string | undefined;
}

/** Docker or podman through its command line; both accept all arguments that are used here. */
export class ContainerRuntime {
  readonly #networks = new Set<string>();

  /**
   * @param program - path of the command
   * @param signal - ends the running call; clean-up gets no signal
   */
  constructor(
    private readonly program: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** The same runtime without a signal, for work that must be done after the caller has gone. */
  uncancelled(): ContainerRuntime {
    return new ContainerRuntime(this.program);
  }

  /** @param context - folder with a Dockerfile */
  async build(image: string, context: string, onLine: (line: string) => void): Promise<void> {
    await this.#run(['build', '--tag', image, context], { timeoutMs: 15 * MINUTE_MS, onLine });
  }

  /** Whether an image of that name exists, and whether provisioning built it. */
  async imageOrigin(image: string): Promise<'provisioned' | 'other' | 'missing'> {
    const ended = await this.#call(['image', 'inspect', '--format', TEMPLATES.imageLabel, image]);
    if (ended.exitCode !== 0) return 'missing';
    return ended.stdout.trim() === 'provisioned' ? 'provisioned' : 'other';
  }

  /** Starts a container. @returns its id */
  async start(spec: ContainerSpec): Promise<string> {
    const published = (Object.entries(spec.ports) as [PortPurpose, number][]).flatMap(([purpose, port]) => [
      '--publish',
      `127.0.0.1:${port}:${CONTAINER_PORTS[purpose]}`,
    ]);
    const args = [
      ...['run', '--detach', '--name', spec.name],
      ...['--label', `fw.service=${spec.service}`, '--label', `fw.provision=${spec.call}`],
      ...Object.keys(spec.variables).flatMap((variable) => ['--env', variable]),
      ...published,
      ...(spec.network === undefined ? [] : ['--network', spec.network]),
      ...['--cap-drop', 'all', spec.image],
    ];
    const { stdout } = await this.#run(args, { timeoutMs: 2 * MINUTE_MS, env: spec.variables });
    const id = stdout.trim().split('\n').at(-1)?.trim() ?? '';
    if (/^[0-9a-f]{12,64}$/.test(id)) return id;
    throw this.#failure('run', 'it printed no container id');
  }

  /** @returns undefined when there is no such container */
  async state(container: string): Promise<ContainerState | undefined> {
    const text = await this.#inspected(container, TEMPLATES.state);
    if (text === undefined) return undefined;
    const state = JSON.parse(text) as { Running?: boolean; ExitCode?: number; Health?: { Status?: string } | null };
    const health = state.Health?.Status || undefined;
    return { running: state.Running === true, exitCode: state.ExitCode ?? 0, health };
  }

  /** The last lines that a container printed. */
  async lastLines(container: string): Promise<readonly string[]> {
    const ended = await this.#call(['logs', '--tail', String(LAST_LINES), container]);
    return `${ended.stdout}\n${ended.stderr}`
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
      .slice(-LAST_LINES);
  }

  /**
   * Stops a container gracefully and removes it.
   * @returns false when it does not exist
   */
  async remove(container: string): Promise<boolean> {
    const stopped = await this.#call(['stop', '--time', String(STOP_SECONDS), container], { timeoutMs: MINUTE_MS });
    if (stopped.exitCode !== 0 && isMissing(stopped)) return false;
    const removed = await this.#call(['rm', container]);
    if (removed.exitCode === 0) return true;
    if (isMissing(removed)) return false;
    throw this.#failure('rm', said(removed));
  }

  /** Removes a container only if the given call has made it. */
  async removeOf(call: string, container: string): Promise<void> {
    if ((await this.#inspected(container, TEMPLATES.call))?.trim() === call) await this.remove(container);
  }

  /** @returns the reason why the image remains; undefined when it was removed */
  async removeImage(image: string): Promise<string | undefined> {
    const ended = await this.#call(['rmi', image], { timeoutMs: MINUTE_MS });
    return ended.exitCode === 0 ? undefined : said(ended);
  }

  /** Makes a private network that only containers of this call can join. */
  async makeNetwork(name: string): Promise<void> {
    await this.#run(['network', 'create', name]);
    this.#networks.add(name);
  }

  /** @returns the reason why the network remains; undefined when it was removed */
  async removeNetwork(name: string): Promise<string | undefined> {
    const ended = await this.#call(['network', 'rm', name]);
    return ended.exitCode === 0 || isMissing(ended) ? undefined : said(ended);
  }

  async #inspected(container: string, template: string): Promise<string | undefined> {
    const ended = await this.#call(['container', 'inspect', '--format', template, container]);
    if (ended.exitCode === 0) return ended.stdout;
    if (isMissing(ended)) return undefined;
    throw this.#failure('inspect', said(ended));
  }

  async #run(args: readonly string[], rest: CallOptions = {}): Promise<RunResult> {
    const ended = await this.#call(args, rest);
    if (ended.exitCode === 0) return ended;
    throw this.#failure(
      args[0] ?? '',
      ended.timedOut ? `it took longer than ${rest.timeoutMs ?? QUICK_MS} ms` : said(ended),
    );
  }

  // All calls run through this method, and so through the argument check.
  async #call(
    args: readonly string[],
    { timeoutMs = QUICK_MS, env = {}, onLine }: CallOptions = {},
  ): Promise<RunResult> {
    checkArguments(args, this.#networks);
    const ended = await runProcess({
      command: this.program,
      args,
      cwd: tmpdir(),
      env,
      inherit: RUNTIME_VARIABLES,
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal: this.signal,
      ...(onLine && { onLine }),
    });
    this.signal?.throwIfAborted();
    return ended;
  }

  #failure(operation: string, output: string): Error {
    return fwError(PROVISIONING_ERRORS.FW_PROVISION_CALL, { program: this.program, operation, output });
  }
}

interface CallOptions {
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

function isMissing({ stderr }: RunResult): boolean {
  return /no such|not found|no container with name/i.test(stderr);
}

// The end of the output has the reason; the beginning of a build lists its steps.
function said({ stdout, stderr, exitCode }: RunResult): string {
  const words = (stderr.trim() || stdout.trim()).split('\n').slice(-8).join(' | ');
  return words.slice(-1500) || `exit code ${exitCode}`;
}
