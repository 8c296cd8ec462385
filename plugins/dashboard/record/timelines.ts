import { type Clock, currentRequestContext } from '../../../kernel/index.js';
import type { TimelineStep } from '../wire/api.js';
import { roundedMs } from './latencies.js';

const MAX_STEPS = 256;
const MAX_NAME = 500;

/** Runs of one statement in one request from which it counts as a query per row (N+1). */
const MANY_RUNS = 5;
/** Statements of one request that are told apart. */
const MAX_TEXTS = 64;

/** How often one request ran a statement. */
interface StatementRuns {
  readonly sql: string;
  readonly model: string | undefined;
  /** Models that the request had read before. */
  readonly after: readonly string[];
  times: number;
  totalMs: number;
}

/** The database statements of one request. */
export interface RequestStatements {
  readonly count: number;
  readonly slowest: { readonly sql: string; readonly ms: number } | undefined;
  /** The statement that was repeated most, if often enough. */
  readonly repeated: Readonly<StatementRuns> | undefined;
}

interface Timeline {
  readonly steps: { readonly step: Omit<TimelineStep, 'at_ms'>; readonly startedAt: number }[];
  dropped: number;
  statements: number;
  slowest: { readonly sql: string; readonly ms: number } | undefined;
  readonly runs: Map<string, StatementRuns>;
}

/**
 * Records the steps of each request. It works only with ambient request contexts (log stamping of the tracer, or the dashboard's option
 * `timeline`); without them it costs nothing and records nothing.
 */
export class Timelines {
  readonly #timelines = new WeakMap<object, Timeline>();

  constructor(private readonly clock: Clock) {}

  /** Records a step that has just ended. */
  note(step: Omit<TimelineStep, 'at_ms'>): void {
    const context = currentRequestContext();
    if (!context) return;
    const timeline = this.#timelineOf(context);
    if (step.kind === 'query') countStatement(timeline, step);
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

  /** Database statements of the current request; undefined if it ran none, or there is no request context. */
  statementsOfCurrent(): RequestStatements | undefined {
    const context = currentRequestContext();
    const timeline = context && this.#timelines.get(context);
    if (!timeline || timeline.statements === 0) return undefined;
    const { statements: count, slowest, runs } = timeline;
    const most = [...runs.values()].reduce((one, other) => (other.times > one.times ? other : one));
    return { count, slowest, repeated: most.times >= MANY_RUNS ? most : undefined };
  }

  #timelineOf(context: object): Timeline {
    let timeline = this.#timelines.get(context);
    if (!timeline) {
      timeline = { steps: [], dropped: 0, statements: 0, slowest: undefined, runs: new Map() };
      this.#timelines.set(context, timeline);
    }
    return timeline;
  }
}

function countStatement(timeline: Timeline, { name, model, duration_ms: ms }: Omit<TimelineStep, 'at_ms'>): void {
  const sql = name.slice(0, MAX_NAME);
  timeline.statements++;
  if (ms >= (timeline.slowest?.ms ?? 0)) timeline.slowest = { sql, ms };
  const known = timeline.runs.get(sql);
  if (known) {
    known.times++;
    known.totalMs += ms;
  } else if (timeline.runs.size < MAX_TEXTS) {
    const before = [...timeline.runs.values()].flatMap((each) => each.model ?? []);
    timeline.runs.set(sql, { sql, model, after: [...new Set(before)], times: 1, totalMs: ms });
  }
}
