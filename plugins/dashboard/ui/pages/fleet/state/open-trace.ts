import { computed, effect, signal } from '@preact/signals';
import { ApiError } from '../../../api/client.js';
import { hopsOf } from '../model/hops.js';
import { advance, type Playback, playOrPause, seek, SHOWN, step } from '../model/playback.js';
import { viewTrace } from '../model/spans.js';
import { playTimeline } from '../model/timeline.js';
import { reveal, type WaterfallState } from '../model/waterfall.js';
import { openSpanId, openTraceId } from './address.js';
import type { Explanation, FleetStore } from './fleet-store.js';

/** Spans of a running trace still arrive: it is read again after a message about it, but not at every one. */
const REREAD_MS = 800;
/** Without motion a playback goes from moment to moment. */
const STILL_MS = 700;

/** The trace that is open, and its playback. */
export class OpenTrace {
  readonly explanation = signal<Explanation | undefined>(undefined);
  /** Why there is no trace to see. */
  readonly problem = signal<ApiError | undefined>(undefined);
  readonly view = computed(() => {
    const found = this.explanation.value;
    return found && viewTrace(found.trace);
  });
  readonly hops = computed(() => hopsOf(this.view.value?.spans ?? []));
  readonly timeline = computed(() => playTimeline(this.view.value?.spans ?? []));
  readonly playback = signal<Playback>(SHOWN);
  /** Milliseconds of the trace under the cursor; undefined while the trace is shown as it ended. */
  readonly cursor = computed(() => {
    const { at } = this.playback.value;
    return at === undefined ? undefined : this.timeline.value.traceTime(at);
  });
  readonly rows = signal<WaterfallState>({ selected: undefined, collapsed: new Set() });
  readonly #still = matchMedia('(prefers-reduced-motion: reduce)');
  #frame: number | undefined;
  #lastFrame = 0;
  #abort: AbortController | undefined;
  #reread: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly store: FleetStore) {}

  /** Whether motion is not wanted. */
  get still(): boolean {
    return this.#still.matches;
  }

  /** Begins to follow the address. @returns ends it */
  start(): () => void {
    const ends = [
      effect(() => this.#open(openTraceId.value)),
      effect(() => this.#select(openSpanId.value)),
      effect(() => this.#onTouched(this.store.touched.value.id)),
      effect(() => {
        // The aggregator is back: a trace that could not be read can be now.
        if (this.store.link.value.is === 'there' && this.problem.peek()?.status === 502)
          void this.#load(openTraceId.peek());
      }),
    ];
    return () => {
      for (const end of ends) end();
      this.#abort?.abort();
      clearTimeout(this.#reread);
      this.#stop();
    };
  }

  playOrPause(): void {
    this.playback.value = playOrPause(this.playback.peek(), this.timeline.peek());
    if (this.playback.peek().playing) this.#run();
    else this.#stop();
  }

  step(direction: 1 | -1): void {
    this.#stop();
    this.playback.value = step(this.playback.peek(), this.timeline.peek(), direction);
  }

  seek(at: number): void {
    this.#stop();
    this.playback.value = seek(this.playback.peek(), this.timeline.peek(), at);
  }

  setSpeed(speed: number): void {
    this.playback.value = { ...this.playback.peek(), speed };
  }

  /** Ends the playback: the trace is shown as it ended. */
  leave(): void {
    this.#stop();
    this.playback.value = { ...this.playback.peek(), playing: false, at: undefined };
  }

  #open(id: string): void {
    this.#abort?.abort();
    this.#stop();
    this.explanation.value = undefined;
    this.problem.value = undefined;
    this.playback.value = SHOWN;
    this.rows.value = { selected: undefined, collapsed: new Set() };
    if (id !== '') void this.#load(id);
  }

  async #load(id: string): Promise<void> {
    const abort = (this.#abort = new AbortController());
    try {
      const explanation = await this.store.get<Explanation>(`traces/${encodeURIComponent(id)}/explain`, abort.signal);
      if (abort.signal.aborted) return;
      this.explanation.value = explanation;
      this.problem.value = undefined;
      this.#select(openSpanId.peek());
    } catch (error) {
      if (abort.signal.aborted || !(error instanceof ApiError)) return;
      // An open trace stays visible, even if the aggregator has evicted it.
      if (this.explanation.peek() === undefined) this.problem.value = error;
    }
  }

  #onTouched(id: string): void {
    if (id === '' || id !== openTraceId.peek() || this.#reread !== undefined) return;
    this.#reread = setTimeout(() => {
      this.#reread = undefined;
      if (openTraceId.peek() === id) void this.#load(id);
    }, REREAD_MS);
  }

  #select(span: string): void {
    const byId = this.view.peek()?.byId;
    if (byId?.has(span) && this.rows.peek().selected !== span) this.rows.value = reveal(byId, this.rows.peek(), span);
  }

  // One frame is asked for at a time, whatever is pressed.
  #run(): void {
    this.#stop();
    this.#lastFrame = performance.now();
    const next = (now: number) => {
      this.#frame = undefined;
      if (!this.#advance(now)) return;
      this.#frame = requestAnimationFrame(next);
    };
    this.#frame = requestAnimationFrame(next);
  }

  #advance(now: number): boolean {
    const elapsed = now - this.#lastFrame;
    const { speed } = this.playback.peek();
    if (this.still && elapsed * speed < STILL_MS) return true;
    this.#lastFrame = now;
    const before = this.playback.peek();
    const after = this.still
      ? { ...step(before, this.timeline.peek(), 1), playing: true }
      : advance(before, this.timeline.peek(), elapsed);
    const isOver = after.at === undefined || after.at >= this.timeline.peek().length;
    this.playback.value = isOver ? { ...after, playing: false } : after;
    return !isOver;
  }

  #stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }
}
