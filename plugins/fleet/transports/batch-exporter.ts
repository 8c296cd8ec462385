import { type Logger, monotonicMs, runInRequestContext } from '../../../kernel/index.js';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import { Ring } from '../../../kernel/bounded/index.js';

/** Concurrent exports. With fewer, a saturated event loop would handle responses too late, and the buffer would fill. */
const MAX_IN_FLIGHT = 8;
/** Times that a batch is tried before it is dropped and counted (SPEC "Fleet operations", rule 4). */
export const MAX_TRIES = 8;
/** Longest pause between two tries, in milliseconds. */
const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 1_000;
const TOO_LATE = 'the tracer closed before they were exported';
/** Longest pause that a receiver may ask for, in milliseconds. */
const MAX_ASKED_MS = 300_000;

/** Options of an exporter. Times in milliseconds. */
export interface ExporterOptions<Span> {
  /** Makes a batch of finished spans, whose text is written when the transport asks for it. */
  readonly encode: (spans: readonly Span[]) => SpanBatch;
  readonly transport: SpanTransport;
  readonly flushInterval: number;
  readonly exportTimeout: number;
  readonly maxBatchSize: number;
  readonly maxBufferSpans: number;
  readonly log?: Logger;
}

/** What happened to spans since the start. */
export interface ExportCounters {
  spansRecorded: number;
  spansExported: number;
  /** Lost: pushed out of the full buffer, refused for good, or tried too often. */
  spansDropped: number;
  exportFailures: number;
}

/** The same with the number of spans that wait. */
export type ExportNumbers = ExportCounters & { readonly spansBuffered: number };

interface Batch<Span> {
  spans: Span[];
  tries: number;
}

/**
 * Takes finished spans and exports them in batches, without ever making a request wait: a full buffer drops its oldest span. A batch is
 * sent when it is full or the flush interval has passed.
 */
export class BatchExporter<Span> {
  readonly counters: ExportCounters = { spansRecorded: 0, spansExported: 0, spansDropped: 0, exportFailures: 0 };
  readonly #ring: Ring<Span>;
  readonly #sending = new Set<Promise<void>>();
  /** Batches that failed, oldest first. */
  readonly #failed: Batch<Span>[] = [];
  #failedSpans = 0;
  #backoffMs = 0;
  #resumeAt = 0;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #isOver = false;

  constructor(private readonly options: ExporterOptions<Span>) {
    this.#ring = new Ring(options.maxBufferSpans);
  }

  /** Number of waiting spans, including those of failed batches. */
  get buffered(): number {
    return this.#ring.size + this.#failedSpans;
  }

  /** The counters, with the number of waiting spans. */
  numbers(): ExportNumbers {
    return { ...this.counters, spansBuffered: this.buffered };
  }

  /** Begins to export on the flush interval. The timer does not keep the process alive. */
  start(): void {
    this.#timer ??= setInterval(() => this.#flush(false), this.options.flushInterval).unref();
  }

  /** Takes a span; never blocks, never throws. */
  add(span: Span): void {
    if (this.#closed) return;
    this.counters.spansRecorded++;
    if (this.buffered >= this.options.maxBufferSpans) this.#dropOldest();
    if (this.#ring.push(span)) this.counters.spansDropped++;
    // A full batch is sent at once, after the running callbacks: with only a timer, spans would be dropped above a few thousand a second.
    if (this.#ring.size >= this.options.maxBatchSize && !this.#scheduled) this.#schedule();
  }

  /** Sends the remaining spans until all are sent or the time is up. */
  async close(timeoutMs: number): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    const deadline = monotonicMs() + timeoutMs;
    this.#resumeAt = 0;
    let failures = this.counters.exportFailures;
    while (this.buffered + this.#sending.size > 0 && monotonicMs() < deadline) {
      this.#flush(false);
      if (this.#sending.size === 0) break;
      await withinTime(Promise.allSettled([...this.#sending]), deadline - monotonicMs());
      // Gives up after a failure: an aggregator that is down will not be back within the time of a shutdown.
      if (this.counters.exportFailures > failures && this.#sending.size === 0) break;
      failures = this.counters.exportFailures;
    }
    this.#giveUpRest();
  }

  #schedule(): void {
    this.#scheduled = true;
    // Without the context of the request that filled the batch, because the export is not a call of that request.
    runInRequestContext(undefined, () =>
      setImmediate(() => {
        this.#scheduled = false;
        this.#flush(true);
      }),
    );
  }

  #flush(fullOnly: boolean): void {
    const { maxBatchSize } = this.options;
    while (this.#maySend()) {
      const again = this.#failed.shift();
      if (again) this.#failedSpans -= again.spans.length;
      else if (this.#ring.size === 0 || (fullOnly && this.#ring.size < maxBatchSize)) return;
      this.#send(again ?? { spans: this.#ring.drain(maxBatchSize), tries: 0 });
    }
  }

  // After a failure only one batch is sent at a time, until one succeeds.
  #maySend(): boolean {
    if (this.#backoffMs === 0) return this.#sending.size < MAX_IN_FLIGHT;
    return this.#sending.size === 0 && monotonicMs() >= this.#resumeAt;
  }

  #send(batch: Batch<Span>): void {
    const sending = this.#export(batch).finally(() => {
      this.#sending.delete(sending);
      if (!this.#closed && this.#ring.size >= this.options.maxBatchSize && !this.#scheduled) this.#schedule();
    });
    this.#sending.add(sending);
  }

  async #export(batch: Batch<Span>): Promise<void> {
    const { transport, exportTimeout, encode } = this.options;
    batch.tries++;
    try {
      const taken = await transport.exportSpans(encode(batch.spans), AbortSignal.timeout(exportTimeout));
      const rejected = Math.min(taken?.rejected ?? 0, batch.spans.length);
      this.counters.spansExported += batch.spans.length - rejected;
      this.counters.spansDropped += rejected;
      this.#backoffMs = 0;
    } catch (error) {
      this.#onFailure(batch, error);
    }
  }

  #onFailure(batch: Batch<Span>, error: unknown): void {
    this.counters.exportFailures++;
    if (isPermanent(error)) {
      this.#drop(batch, error, 'the aggregator refused them');
      return;
    }
    this.#backOff(error);
    if (this.#isOver) this.#drop(batch, error, TOO_LATE);
    else if (batch.tries >= MAX_TRIES) this.#drop(batch, error, `${MAX_TRIES} tries failed`);
    else this.#keep(batch);
  }

  #keep(batch: Batch<Span>): void {
    this.#failed.push(batch);
    this.#failedSpans += batch.spans.length;
    while (this.buffered > this.options.maxBufferSpans) this.#dropOldest();
  }

  #dropOldest(): void {
    this.counters.spansDropped++;
    const oldest = this.#failed[0];
    if (oldest === undefined) {
      this.#ring.dropOldest();
      return;
    }
    oldest.spans.shift();
    this.#failedSpans--;
    if (oldest.spans.length === 0) this.#failed.shift();
  }

  #drop(batch: Batch<Span>, err: unknown, reason: string): void {
    this.counters.spansDropped += batch.spans.length;
    this.options.log?.warn({ err, spans: batch.spans.length }, `spans dropped: ${reason}`);
  }

  #backOff(err: unknown): void {
    // Concurrent exports that fail together increase the backoff only once.
    if (this.#backoffMs > 0 && monotonicMs() < this.#resumeAt) return;
    const isFirst = this.#backoffMs === 0;
    this.#backoffMs = isFirst ? FIRST_BACKOFF_MS : Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
    this.#resumeAt = monotonicMs() + Math.max(this.#backoffMs, pauseAskedFor(err));
    const { transport, log } = this.options;
    if (isFirst) log?.warn({ err, transport: transport.name }, 'spans could not be exported; trying again');
  }

  #giveUpRest(): void {
    // What is being sent may still arrive; if it fails, nothing tries it again.
    this.#isOver = true;
    const left = this.buffered;
    if (left === 0) return;
    this.counters.spansDropped += left;
    this.#ring.drain(left);
    this.#failed.length = 0;
    this.#failedSpans = 0;
    this.options.log?.warn({ spans: left }, `spans dropped: ${TOO_LATE}`);
  }
}

// The receiver's own pause wins over the backoff, up to a limit.
function pauseAskedFor(error: unknown): number {
  const { retryAfterMs } = (error ?? {}) as { retryAfterMs?: unknown };
  return typeof retryAfterMs === 'number' && retryAfterMs > 0 ? Math.min(retryAfterMs, MAX_ASKED_MS) : 0;
}

function isPermanent(error: unknown): boolean {
  return (error as { isPermanent?: unknown } | undefined)?.isPermanent === true;
}

async function withinTime(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.max(0, timeoutMs))));
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
