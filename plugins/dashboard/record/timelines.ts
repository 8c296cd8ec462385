import { type Clock, currentRequestContext } from '../../../kernel/index.js';
import type { TimelineStep } from '../wire/api.js';
import { roundedMs } from './latencies.js';

const MAX_STEPS = 256;
const MAX_NAME = 500;

interface Timeline {
  readonly steps: { readonly step: Omit<TimelineStep, 'at_ms'>; readonly startedAt: number }[];
  dropped: number;
}

/**
 * Notes what happens while a request is answered. It can tell only where the process keeps ambient request contexts (log
 * stamping of the tracer, or the dashboard's option `timeline`); elsewhere it costs and knows nothing.
 */
export class Timelines {
  readonly #timelines = new WeakMap<object, Timeline>();

  constructor(private readonly clock: Clock) {}

  /** Notes something that has just ended. */
  note(step: Omit<TimelineStep, 'at_ms'>): void {
    const context = currentRequestContext();
    if (!context) return;
    const timeline = this.#timelineOf(context);
    if (timeline.steps.length >= MAX_STEPS) {
      timeline.dropped++;
      return;
    }
    const startedAt = this.clock.monotonic() - step.duration_ms;
    timeline.steps.push({ step: { ...step, name: step.name.slice(0, MAX_NAME) }, startedAt });
  }

  /**
   * Steps of the request that is being answered.
   * @param from - monotonic milliseconds at which it began
   */
  ofCurrent(from: number): { readonly steps: readonly TimelineStep[]; readonly dropped: number } {
    const context = currentRequestContext();
    const timeline = context && this.#timelines.get(context);
    if (!timeline) return { steps: [], dropped: 0 };
    const steps = timeline.steps.map(({ step, startedAt }) => ({
      ...step,
      at_ms: roundedMs(Math.max(0, startedAt - from)),
      duration_ms: roundedMs(step.duration_ms),
    }));
    return { steps: steps.sort((one, other) => one.at_ms - other.at_ms), dropped: timeline.dropped };
  }

  #timelineOf(context: object): Timeline {
    let timeline = this.#timelines.get(context);
    if (!timeline) this.#timelines.set(context, (timeline = { steps: [], dropped: 0 }));
    return timeline;
  }
}
