import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fwError } from '../errors/index.js';
import { outputRead } from './end-of-output.js';
import { PROCESS_ERRORS } from './errors.js';
import { checkTime } from './limits.js';
import { forgetGroup } from './live-groups.js';
import { LineSplitter } from './line-splitter.js';
import { endGroup, signalGroup } from './process-group.js';
import { DEFAULT_GRACE_MS, type OutputName } from './run-process.js';
import { type ChildRequest, type ProcessExit, type SpawnedChild, spawnChild } from './spawn-child.js';

/** Lines that {@link RunningProcess.recentLines} remembers. */
const REMEMBERED_LINES = 200;

/** A child that goes on until it is stopped. */
export interface StartRequest extends ChildRequest {
  /** `pipe` gives the handle a `stdin` to write to; default no input. */
  readonly stdin?: 'pipe' | 'ignore';
  /** `inherit` lets the child write to this process's own outputs; then there are no lines. Default `lines`. */
  readonly output?: 'lines' | 'inherit';
  /** A channel for messages between the two, as `child_process.fork` has it (Node children only). Default none. */
  readonly channel?: boolean;
}

/** Messages to and from a child; see https://nodejs.org/api/child_process.html#subprocesssendmessage-sendhandle-options-callback. */
interface ChildChannel {
  /** Sends a message, with a socket that then belongs to the child. Resolves to whether it was sent. */
  send(message: object, socket?: Socket): Promise<boolean>;
  /** Calls back for every message of the child. */
  onMessage(listener: (message: unknown) => void): void;
}

/** Gets the lines that a child prints. */
export type LineListener = (line: string, output: OutputName) => void;

/** How long to wait for a line. */
export interface WaitForLine {
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A child that is running. */
export interface RunningProcess {
  readonly pid: number;
  /** Resolves, never rejects, when the child has ended, the rest of its group was ended, and all output is read. */
  readonly exited: Promise<ProcessExit>;
  /** There with `stdin: 'pipe'`. The caller handles its errors (`EPIPE` once the child has ended). */
  readonly stdin: Writable | undefined;
  /** There with `channel: true`. */
  readonly channel: ChildChannel | undefined;
  /** The last 200 lines of both outputs, as they came. */
  recentLines(): readonly string[];
  /** How many lines came before the remembered ones. */
  readonly forgottenLines: number;
  /**
   * Calls the listener for each further line. An exception of a listener is uncaught, as with any event emitter.
   * @returns ends this
   */
  onLine(listener: LineListener): () => void;
  /**
   * The first line that matches, among the remembered and the coming ones.
   * @throws FwError `FW_PROCESS_LINE` when the child ends or the time passes before there is one
   */
  waitForLine(pattern: RegExp, options: WaitForLine): Promise<RegExpExecArray>;
  /** Sends a signal to the child and everything in its group. @returns false when nobody is left */
  kill(signal: NodeJS.Signals): boolean;
  /** Ends the child and everything that it started: SIGTERM, then SIGKILL after `graceMs` (default 2 000). Idempotent. */
  stop(options?: { readonly graceMs?: number }): Promise<ProcessExit>;
}

/**
 * Starts a long-running child: no shell, arguments as they are, a clean environment ({@link cleanEnvironment}), a process group of its own.
 * The group also ends when this process exits; an unhandled signal ends the process without that, so commands handle SIGINT and SIGTERM.
 *
 * @throws FwError `FW_PROCESS_NOT_FOUND`, `FW_PROCESS_DIRECTORY`, `FW_PROCESS_ARGUMENT`, `FW_PROCESS_SPAWN`
 */
export async function startProcess(request: StartRequest): Promise<RunningProcess> {
  const output = request.output === 'inherit' ? 'inherit' : 'pipe';
  const outputs: StdioOptions = [request.stdin ?? 'ignore', output, output];
  const stdio: StdioOptions = request.channel ? [...outputs, 'ipc'] : outputs;
  return new ChildHandle(request.command, await spawnChild(request, stdio));
}

class ChildHandle implements RunningProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  readonly stdin: Writable | undefined;
  readonly channel: ChildChannel | undefined;
  readonly #listeners = new Set<LineListener>();
  readonly #lines: string[] = [];
  #forgotten = 0;
  #gone = false;
  #ending: Promise<void> | undefined;

  constructor(
    private readonly command: string,
    spawned: SpawnedChild,
  ) {
    const { child, pid } = spawned;
    this.pid = pid;
    this.stdin = child.stdin ?? undefined;
    if (child.channel) this.channel = channelOf(child);
    if (child.stdout) this.#read(child.stdout, 'stdout');
    if (child.stderr) this.#read(child.stderr, 'stderr');
    this.exited = this.#toEnd(spawned);
  }

  get forgottenLines(): number {
    return this.#forgotten;
  }

  recentLines(): readonly string[] {
    return [...this.#lines];
  }

  onLine(listener: LineListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  kill(signal: NodeJS.Signals): boolean {
    // Another process may have got the id of an ended child.
    return !this.#gone && signalGroup(this.pid, signal);
  }

  stop({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number } = {}): Promise<ProcessExit> {
    checkTime('graceMs', graceMs, 0);
    this.#ending ??= endGroup(this.pid, graceMs);
    return this.exited;
  }

  async waitForLine(pattern: RegExp, { timeoutMs, signal }: WaitForLine): Promise<RegExpExecArray> {
    checkTime('timeoutMs', timeoutMs, 1);
    // A pattern with the flag g or y would continue after its last match.
    const stateless = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
    for (const line of this.#lines) {
      const match = stateless.exec(line);
      if (match) return match;
    }
    return this.#comingLine(stateless, timeoutMs, signal);
  }

  async #comingLine(pattern: RegExp, timeoutMs: number, signal: AbortSignal | undefined): Promise<RegExpExecArray> {
    const release: (() => void)[] = [];
    try {
      return await new Promise<RegExpExecArray>((found, missed) => {
        const giveUp = (ending: string): void => missed(this.#noLine(pattern, ending));
        release.push(
          this.onLine((line) => {
            const match = pattern.exec(line);
            if (match) found(match);
          }),
          timer(() => giveUp(`did not get so far within ${timeoutMs} ms`), timeoutMs),
          aborted(signal, () => giveUp('was no longer waited for')),
        );
        void this.exited.then((exit) => giveUp(`ended (${exit.signal ?? `exit code ${exit.exitCode}`})`));
      });
    } finally {
      for (const each of release) each();
    }
  }

  async #toEnd(spawned: SpawnedChild): Promise<ProcessExit> {
    const exit = await spawned.exited;
    await (this.#ending ??= endGroup(this.pid, DEFAULT_GRACE_MS));
    this.#gone = true;
    forgetGroup(this.pid);
    await outputRead(spawned);
    this.#listeners.clear();
    return exit;
  }

  #read(stream: Readable, output: OutputName): void {
    const lines = new LineSplitter((line) => this.#take(line, output));
    stream.on('data', (chunk: Buffer) => lines.push(chunk));
    stream.once('end', () => lines.end());
    stream.on('error', (error) => this.#take(`[reading ${output} failed: ${error.message}]`, output));
  }

  #take(line: string, output: OutputName): void {
    if (this.#lines.push(line) > REMEMBERED_LINES) {
      this.#lines.shift();
      this.#forgotten++;
    }
    for (const listener of this.#listeners) listener(line, output);
  }

  #noLine(pattern: RegExp, ending: string): Error {
    const lines = this.#lines.slice(-10).join(' | ') || 'none';
    return fwError(PROCESS_ERRORS.FW_PROCESS_LINE, { command: this.command, ending, pattern: String(pattern), lines });
  }
}

function channelOf(child: ChildProcess): ChildChannel {
  return {
    send: (message, socket) =>
      new Promise((resolve) => {
        // An ended child gets no message; its `exited` promise tells that it has ended.
        if (!child.connected) resolve(false);
        else child.send(message, socket, (error) => resolve(error === null));
      }),
    onMessage: (listener) => void child.on('message', listener),
  };
}

function timer(action: () => void, ms: number): () => void {
  const started = setTimeout(action, ms);
  return () => clearTimeout(started);
}

function aborted(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action();
  signal?.addEventListener('abort', action, { once: true });
  return () => signal?.removeEventListener('abort', action);
}
