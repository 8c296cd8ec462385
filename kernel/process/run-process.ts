import type { Readable, Writable } from 'node:stream';
import { fwError } from '../errors/index.js';
import { CappedOutput } from './capped-output.js';
import { outputRead } from './end-of-output.js';
import { PROCESS_ERRORS } from './errors.js';
import { checkOutputBytes, checkTime } from './limits.js';
import { forgetGroup } from './live-groups.js';
import { LineSplitter } from './line-splitter.js';
import { endGroup } from './process-group.js';
import { type ChildRequest, type ProcessExit, type SpawnedChild, spawnChild } from './spawn-child.js';

/** Milliseconds between SIGTERM and SIGKILL when a request does not say. */
export const DEFAULT_GRACE_MS = 2_000;

/** Which of its two outputs a child wrote to. */
export type OutputName = 'stdout' | 'stderr';

/** A child to run to its end. */
export interface RunRequest extends ChildRequest {
  /** Written to the child's standard input, which is then closed; without it there is no input. */
  readonly stdin?: string | Uint8Array;
  /** Milliseconds after which the child and everything that it started is ended. */
  readonly timeoutMs: number;
  /** How much of each output is kept, in bytes: the first and the last half. The child goes on beyond it. */
  readonly maxOutputBytes: number;
  /** Ends the child, and everything that it started, when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between SIGTERM and SIGKILL, default 2 000. */
  readonly graceMs?: number;
  /** Gets each line as it comes, also beyond `maxOutputBytes`. A line of more than 65 536 characters comes in pieces. */
  readonly onLine?: (line: string, output: OutputName) => void;
}

/** What became of a child. A code other than 0 is an answer, not an error. */
export interface RunResult extends ProcessExit {
  readonly stdout: string;
  readonly stderr: string;
  /** Something of stdout or stderr was left out; the text says how much, on a line of its own. */
  readonly truncated: boolean;
  /** It was ended because `timeoutMs` had passed. */
  readonly timedOut: boolean;
  /** It was ended, or not even started, because `signal` was aborted. */
  readonly aborted: boolean;
  /** Milliseconds from start to end. */
  readonly durationMs: number;
}

/**
 * Runs a program to its end: no shell, arguments as they are, a clean environment ({@link cleanEnvironment}), a process group
 * of its own. Whatever the program leaves running in that group is ended with it, be it after a timeout, an abort or a
 * normal end.
 *
 * @throws FwError `FW_PROCESS_NOT_FOUND`, `FW_PROCESS_DIRECTORY`, `FW_PROCESS_ARGUMENT`, `FW_PROCESS_LIMIT`,
 * `FW_PROCESS_SPAWN`, `FW_PROCESS_OUTPUT`, and whatever `onLine` throws, after the child was ended
 */
export async function runProcess(request: RunRequest): Promise<RunResult> {
  checkTime('timeoutMs', request.timeoutMs, 1);
  checkTime('graceMs', request.graceMs ?? DEFAULT_GRACE_MS, 0);
  checkOutputBytes(request.maxOutputBytes);
  const startedAt = performance.now();
  const run = new Run(request);
  if (request.signal?.aborted) return run.result({ exitCode: null, signal: null }, 0, 'abort');
  const spawned = await spawnChild(request, [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']);
  const exit = await run.toEnd(spawned);
  return run.result(exit, performance.now() - startedAt);
}

type Reason = 'timeout' | 'abort' | 'failure';

class Run {
  readonly #stdout: CappedOutput;
  readonly #stderr: CappedOutput;
  readonly #graceMs: number;
  #reason: Reason | undefined;
  #failure: { readonly error: unknown } | undefined;
  #ending: Promise<void> | undefined;

  constructor(private readonly request: RunRequest) {
    this.#stdout = new CappedOutput(request.maxOutputBytes);
    this.#stderr = new CappedOutput(request.maxOutputBytes);
    this.#graceMs = request.graceMs ?? DEFAULT_GRACE_MS;
  }

  async toEnd(spawned: SpawnedChild): Promise<ProcessExit> {
    const { child, pid, exited } = spawned;
    const end = (reason: Reason): void => this.#end(pid, reason);
    const onAbort = (): void => end('abort');
    const timer = setTimeout(() => end('timeout'), this.request.timeoutMs);
    this.request.signal?.addEventListener('abort', onAbort, { once: true });
    if (this.request.signal?.aborted) onAbort();
    this.#collect(child.stdout as Readable, this.#stdout, 'stdout', end);
    this.#collect(child.stderr as Readable, this.#stderr, 'stderr', end);
    if (child.stdin) this.#feed(child.stdin, end);
    const exit = await exited;
    clearTimeout(timer);
    this.request.signal?.removeEventListener('abort', onAbort);
    await (this.#ending ??= endGroup(pid, this.#graceMs));
    forgetGroup(pid);
    await outputRead(spawned);
    if (this.#failure) throw this.#failure.error;
    return exit;
  }

  result(exit: ProcessExit, durationMs: number, reason: Reason | undefined = this.#reason): RunResult {
    return {
      ...exit,
      stdout: this.#stdout.text(),
      stderr: this.#stderr.text(),
      truncated: this.#stdout.leftOut + this.#stderr.leftOut > 0,
      timedOut: reason === 'timeout',
      aborted: reason === 'abort',
      durationMs,
    };
  }

  // Only the first reason is reported.
  #end(pid: number, reason: Reason): void {
    this.#reason ??= reason;
    this.#ending ??= endGroup(pid, this.#graceMs);
  }

  #fail(error: unknown, end: (reason: Reason) => void): void {
    this.#failure ??= { error };
    end('failure');
  }

  #collect(stream: Readable, kept: CappedOutput, output: OutputName, end: (reason: Reason) => void): void {
    const { onLine } = this.request;
    const lines = onLine && new LineSplitter((line) => onLine(line, output));
    const guarded = (work: () => void): void => {
      try {
        if (!this.#failure) work();
      } catch (error) {
        this.#fail(error, end);
      }
    };
    stream.on('data', (chunk: Buffer) => {
      kept.push(chunk);
      if (lines) guarded(() => lines.push(chunk));
    });
    if (lines) stream.once('end', () => guarded(() => lines.end()));
    stream.on('error', (cause) => this.#fail(this.#brokenPipe(cause), end));
  }

  #feed(stdin: Writable, end: (reason: Reason) => void): void {
    stdin.on('error', (cause: NodeJS.ErrnoException) => {
      // A child may close its input without reading it; its exit code tells whether it succeeded.
      if (cause.code !== 'EPIPE' && cause.code !== 'ECONNRESET') this.#fail(this.#brokenPipe(cause), end);
    });
    stdin.end(this.request.stdin);
  }

  #brokenPipe(cause: Error): Error {
    const { command } = this.request;
    return fwError(PROCESS_ERRORS.FW_PROCESS_OUTPUT, { command, reason: cause.message }, { cause });
  }
}
