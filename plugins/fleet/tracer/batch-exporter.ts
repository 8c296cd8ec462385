import { type Logger, runInRequestContext } from '../../../kernel/index.js';
import type { SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { FinishedSpan } from './finished-span.js';
import { SpanEncoder } from './span-encoder.js';
import { SpanRing } from './span-ring.js';

/** Exports under way at once. With fewer, a saturated event loop answers too late to keep the ring from filling. */
const MAX_IN_FLIGHT = 8;
/** Times that a batch is tried before it is dropped and counted (SPEC "Fleet operations", rule 4). */
export const MAX_TRIES = 8;
/** Longest pause between two tries, in milliseconds. */
const MAX_BACKOFF_MS = 30_000;
const FIRST_BACKOFF_MS = 1_000;

/** What an exporter needs to know. Times in milliseconds. */
export interface ExporterOptions {
  readonly serviceName: string;
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

interface Batch {
  spans: FinishedSpan[];
  tries: number;
}

/**
 * Takes finished spans and exports them in batches, without ever making a request wait: a full buffer forgets its oldest
 * span. A batch leaves when it is full or when the flush interval has passed.
 */
export class BatchExporter {
  readonly counters: ExportCounters = { spansRecorded: 0, spansExported: 0, spansDropped: 0, exportFailures: 0 };
  readonly #ring: SpanRing<FinishedSpan>;
  readonly #encoder: SpanEncoder;
  readonly #sending = new Set<Promise<void>>();
  /** Batches that failed, oldest first. */
  readonly #failed: Batch[] = [];
  #failedSpans = 0;
  #backoffMs = 0;
  #resumeAt = 0;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(private readonly options: ExporterOptions) {
    this.#ring = new SpanRing(options.maxBufferSpans);
    this.#encoder = new SpanEncoder(options.serviceName);
  }

  /** Spans that wait, those of failed batches included. */
  get buffered(): number {
    return this.#ring.size + this.#failedSpans;
  }

  /** Begins to export on the flush interval. The timer does not keep the process alive. */
  start(): void {
    this.#timer ??= setInterval(() => this.#flush(false), this.options.flushInterval).unref();
  }

  /** Takes a span; never blocks, never throws. */
  add(span: FinishedSpan): void {
    if (this.#closed) return;
    this.counters.spansRecorded++;
    if (this.buffered >= this.options.maxBufferSpans) this.#dropOldest();
    if (this.#ring.push(span)) this.counters.spansDropped++;
    // Full batches leave at once, after the running callbacks: a timer alone loses spans above a few thousand a second.
    if (this.#ring.size >= this.options.maxBatchSize && !this.#scheduled) this.#schedule();
  }

  /** Sends what is left, until everything is out or the time is up. */
  async close(timeoutMs: number): Promise<void> {
    clearInterval(this.#timer);
    this.#closed = true;
    const deadline = Date.now() + timeoutMs;
    this.#resumeAt = 0;
    let failures = this.counters.exportFailures;
    while (this.buffered + this.#sending.size > 0 && Date.now() < deadline) {
      this.#flush(false);
      if (this.#sending.size === 0) break;
      await withinTime(Promise.allSettled([...this.#sending]), deadline - Date.now());
      // An aggregator that is down now will not be back within the time that a shutdown has.
      if (this.counters.exportFailures > failures && this.#sending.size === 0) break;
      failures = this.counters.exportFailures;
    }
    this.#giveUpRest();
  }

  #schedule(): void {
    this.#scheduled = true;
    // Outside of the request that happened to fill the batch: the export is none of its calls.
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

  // After a failure one batch at a time tries the way; when it arrives, the others follow.
  #maySend(): boolean {
    if (this.#backoffMs === 0) return this.#sending.size < MAX_IN_FLIGHT;
    return this.#sending.size === 0 && Date.now() >= this.#resumeAt;
  }

  #send(batch: Batch): void {
    const sending = this.#export(batch).finally(() => {
      this.#sending.delete(sending);
      if (!this.#closed && this.#ring.size >= this.options.maxBatchSize && !this.#scheduled) this.#schedule();
    });
    this.#sending.add(sending);
  }

  async #export(batch: Batch): Promise<void> {
    const { transport, exportTimeout } = this.options;
    batch.tries++;
    try {
      await transport.exportSpans(this.#encoder.batch(batch.spans), AbortSignal.timeout(exportTimeout));
      this.counters.spansExported += batch.spans.length;
      this.#backoffMs = 0;
    } catch (error) {
      this.#onFailure(batch, error);
    }
  }

  #onFailure(batch: Batch, error: unknown): void {
    this.counters.exportFailures++;
    if (isPermanent(error)) {
      this.#drop(batch, error, 'the aggregator refused them');
      return;
    }
    this.#backOff(error);
    if (batch.tries >= MAX_TRIES) this.#drop(batch, error, `${MAX_TRIES} tries failed`);
    else this.#keep(batch);
  }

  #keep(batch: Batch): void {
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

  #drop(batch: Batch, err: unknown, reason: string): void {
    this.counters.spansDropped += batch.spans.length;
    this.options.log?.warn({ err, spans: batch.spans.length }, `spans dropped: ${reason}`);
  }

  #backOff(err: unknown): void {
    // Several exports that fail together are one reason to wait, not several.
    if (this.#backoffMs > 0 && Date.now() < this.#resumeAt) return;
    const isFirst = this.#backoffMs === 0;
    this.#backoffMs = isFirst ? FIRST_BACKOFF_MS : Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS);
    this.#resumeAt = Date.now() + this.#backoffMs;
    const { transport, log } = this.options;
    if (isFirst) log?.warn({ err, transport: transport.name }, 'spans could not be exported; trying again');
  }

  #giveUpRest(): void {
    const left = this.buffered;
    if (left === 0) return;
    this.counters.spansDropped += left;
    this.#ring.drain(left);
    this.#failed.length = 0;
    this.#failedSpans = 0;
    this.options.log?.warn({ spans: left }, 'spans dropped: the tracer closed before they were exported');
  }
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
