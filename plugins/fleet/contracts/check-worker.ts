import { Worker } from 'node:worker_threads';
import { fwError, isFwError } from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { CONTRACT_ERRORS } from './errors.js';
import { threadFile } from './thread-file.js';
import { type Batch, type Outcome, PLACES, type Task, type ThreadData } from './thread/protocol.js';

/** Limits of the thread. */
interface ThreadLimits {
  /** Milliseconds for one task. */
  readonly deadline: number;
  /** MiB of its heap. */
  readonly maxHeap: number;
}

/** The limit that a task exceeded, for which the thread was ended. */
export type Exceeded = 'pattern' | 'time' | 'memory';

/** Outcome of a task, or the limit that it exceeded; `skipped` if another task of its document exceeded one. */
export type Result = Outcome | { readonly exceeded: Exceeded } | { readonly skipped: true };

/** Gives the text of a document. */
type DocumentText = (number: number) => SharedArrayBuffer | undefined;

interface Running {
  readonly worker: Worker;
  readonly progress: Int32Array;
  /** Numbers of the documents that it has. */
  readonly documents: Set<number>;
  /** Whether it has run a batch before the current one. */
  isUsed: boolean;
}

/**
 * The thread that reads documents and bodies of other services. A thread cannot be interrupted, only ended: when a task takes too long, its
 * thread is ended, and a new one continues with the other tasks.
 */
export class CheckWorker {
  #running: Running | undefined;
  #isClosed = false;

  constructor(
    private readonly limits: ThreadLimits,
    private readonly textOf: DocumentText,
    private readonly file: () => Promise<string> = threadFile,
  ) {}

  /**
   * Runs tasks in their order; one call at a time.
   *
   * @returns a result for each
   * @throws FwError `FW_FLEET_CHECK_THREAD` when the thread cannot be started, or ends without a task being the reason
   */
  async run(tasks: readonly Task[]): Promise<readonly Result[]> {
    const results = new Map<Task, Result>();
    let left = tasks;
    while (left.length > 0 && !this.#isClosed) {
      const wasUsed = this.#running?.isUsed ?? false;
      const { outcomes, guilty } = await this.#attempt(left);
      outcomes.forEach((outcome, index) => results.set(left[index] as Task, outcome));
      if (guilty === undefined) break;
      const [task, exceeded] = guilty;
      const others = left.filter((each) => each !== task && !results.has(each));
      // Earlier tasks may have filled the heap: the last task is judged only after it runs first in a new thread.
      const isJudged = exceeded !== 'memory' || (!wasUsed && left[0] === task);
      if (!isJudged) {
        left = [task, ...others];
        continue;
      }
      results.set(task, { exceeded });
      left = others.filter((each) => documentOf(each) !== documentOf(task));
    }
    return tasks.map((task) => results.get(task) ?? { skipped: true });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #attempt(
    tasks: readonly Task[],
  ): Promise<{ outcomes: readonly Outcome[]; guilty?: readonly [Task, Exceeded] }> {
    const running = (this.#running ??= await this.#start());
    // Closed while the thread was starting.
    if (this.#isClosed) await this.#end();
    if (this.#isClosed) return { outcomes: [] };
    const before = Atomics.load(running.progress, PLACES.begun);
    const batch = this.#batchOf(running, tasks);
    running.isUsed = true;
    const ending = await exchange(running, batch, this.limits.deadline);
    if (Array.isArray(ending)) return { outcomes: ending as readonly Outcome[] };
    await this.#end();
    if (this.#isClosed) return { outcomes: [] };
    const task = tasks[Atomics.load(running.progress, PLACES.begun) - before - 1];
    if (task === undefined || !isExceeded(ending)) throw threadError(ending);
    return { outcomes: [], guilty: [task, ending] };
  }

  #batchOf({ documents }: Running, tasks: readonly Task[]): Batch {
    const wanted = new Set(tasks.map(documentOf));
    const missing = [...wanted].filter((number) => !documents.has(number));
    const texts = missing.flatMap((number) => {
      const text = this.textOf(number);
      if (text) documents.add(number);
      return text ? [[number, text] as const] : [];
    });
    const gone = [...documents].filter((number) => this.textOf(number) === undefined);
    for (const number of gone) documents.delete(number);
    return { documents: texts, gone, tasks };
  }

  async #start(): Promise<Running> {
    const progress = new Int32Array(new SharedArrayBuffer(PLACES.length * Int32Array.BYTES_PER_ELEMENT));
    try {
      const worker = new Worker(await this.file(), {
        name: 'fw-contract-checks',
        workerData: { progress } satisfies ThreadData,
        // The thread runs code for foreign schemas, so it gets no environment.
        env: {},
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: this.limits.maxHeap, maxYoungGenerationSizeMb: 32 },
      });
      worker.unref();
      await begun(worker);
      // Errors of a thread that is being ended are ignored.
      worker.on('error', () => undefined);
      // One that ended between two batches answers nothing; the next batch gets another.
      worker.once('exit', () => {
        if (this.#running?.worker === worker) this.#running = undefined;
      });
      return { worker, progress, documents: new Set(), isUsed: false };
    } catch (cause) {
      throw threadError(cause);
    }
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.worker.terminate();
  }
}

/** Waits for the first message of a thread. @throws what ended it before */
function begun(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with code ${code} before it was ready`)));
  });
}

/** How often the progress of a thread is looked at in one deadline, and how many times it has to be the same until the thread is ended. */
const [LOOKS_PER_DEADLINE, LOOKS_TO_END] = [8, 10];

/** Sends a batch. @returns its outcomes, or why there are none */
function exchange({ worker, progress }: Running, batch: Batch, deadline: number): Promise<unknown> {
  return new Promise((resolve) => {
    // A task is too slow when it is the same in many looks, so it gets a quarter more than its deadline. Looks are counted, not time: while
    // this whole process stands still, a task does not run either. Before the first has begun, it is the machine that is slow, and nobody
    // is to blame.
    const none = Atomics.load(progress, PLACES.begun);
    let seen = none;
    let looks = 0;
    const timer = setInterval(() => {
      const begun = Atomics.load(progress, PLACES.begun);
      looks = begun === seen && begun !== none ? looks + 1 : 0;
      seen = begun;
      if (looks >= LOOKS_TO_END) finish(Atomics.load(progress, PLACES.inPattern) === 1 ? 'pattern' : 'time');
    }, deadline / LOOKS_PER_DEADLINE).unref();
    const onError = (error: Error) => finish(isOutOfMemory(error) ? 'memory' : error);
    const onExit = () => finish(new Error('the thread ended'));
    const finish = (ending: unknown) => {
      clearInterval(timer);
      worker.off('message', finish).off('error', onError).off('exit', onExit);
      resolve(ending);
    };
    worker.on('message', finish).on('error', onError).on('exit', onExit);
    worker.postMessage(batch);
  });
}

function documentOf(task: Task): number {
  return 'read' in task ? task.read : task.document;
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function isExceeded(ending: unknown): ending is Exceeded {
  return ending === 'pattern' || ending === 'time' || ending === 'memory';
}

function threadError(cause: unknown): Error {
  if (isFwError(cause)) return cause;
  const reason = messageOf(cause);
  return fwError(CONTRACT_ERRORS.FW_FLEET_CHECK_THREAD, { reason }, { cause });
}
