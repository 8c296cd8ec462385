import { type Clock, currentRequestContext, isFwError } from '../../../kernel/index.js';
import { cutText } from '../../../kernel/log/index.js';
import type { QueryObserver } from '../../../kernel/contracts/query-observer.js';
import type { QueryRecord, StatementStatistics } from '../wire/api.js';
import { chainOf } from './cause-facts.js';
import { Latencies, roundedMs } from './latencies.js';
import { BoundedMap, Ring } from '../../../kernel/bounded/index.js';
import type { Timelines } from './timelines.js';

const MAX_STATEMENTS = 500;
const MAX_SQL = 4_000;
const NANOSECONDS_PER_MS = 1e6;

interface Statement {
  readonly sql: string;
  readonly model: string | undefined;
  errors: number;
  slow: number;
  totalMs: number;
  maxMs: number;
  lastAt: number;
  readonly latencies: Latencies;
}

/** How statements are recorded. */
interface QueryRecorderOptions {
  readonly maxQueries: number;
  /** Milliseconds from which a statement is slow. */
  readonly slowMs: number;
}

/** Sees every statement of the application's database. It keeps texts with placeholders, never a value. */
export class QueryRecorder implements QueryObserver {
  readonly recent: Ring<QueryRecord>;
  /** Told about every statement. */
  onRecord: (record: QueryRecord) => void = () => undefined;
  /** Whether a viewer is connected. */
  hasViewers: () => boolean = () => false;
  readonly #statements = new BoundedMap<string, Statement>(MAX_STATEMENTS);
  /** Statements by the error that they failed with. */
  readonly #failedBy = new WeakMap<object, string>();
  #total = 0;
  #slow = 0;
  #errors = 0;

  constructor(
    readonly options: QueryRecorderOptions,
    private readonly clock: Clock,
    private readonly timelines: Timelines,
  ) {
    this.recent = new Ring(options.maxQueries);
  }

  name(): string {
    return 'dashboard';
  }

  afterExecute(context: unknown, text: string, durationNanos: bigint, error: unknown): void {
    const ms = Number(durationNanos) / NANOSECONDS_PER_MS;
    const sql = shortened(text);
    const slow = ms >= this.options.slowMs;
    const { model } = context as { readonly model?: string };
    this.#count(sql, model, ms, slow, error !== undefined);
    const step = { kind: 'query' as const, name: sql, duration_ms: ms, failed: error !== undefined };
    this.timelines.note({ ...step, ...(model !== undefined && { model }) });
    if (typeof error === 'object' && error !== null) this.#failedBy.set(error, sql);
    const record = this.#recordOf(sql, model, ms, slow, error);
    this.recent.push(record);
    if (this.hasViewers()) this.onRecord(record);
  }

  totals() {
    return { statements: this.#total, slow: this.#slow, errors: this.#errors };
  }

  /** The statement behind an error or one of its causes. */
  failedStatement(error: unknown): string | undefined {
    const sources = chainOf(error).flatMap((each) => this.#failedBy.get(each) ?? []);
    return sources[0];
  }

  /** Number of statements that were evicted for newer ones. */
  get dropped(): number {
    return this.#statements.evicted;
  }

  /** Every statement, the one that took most time in all first. */
  statements(): StatementStatistics[] {
    return this.#statements
      .values()
      .sort((one, other) => other.totalMs - one.totalMs)
      .map(statisticsOf);
  }

  #count(sql: string, model: string | undefined, ms: number, slow: boolean, failed: boolean): void {
    const statement = this.#statements.use(sql, () => newStatement(sql, model));
    this.#total++;
    statement.totalMs += ms;
    if (ms > statement.maxMs) statement.maxMs = ms;
    if (slow) statement.slow += 1;
    if (slow) this.#slow++;
    if (failed) statement.errors += 1;
    if (failed) this.#errors++;
    statement.lastAt = this.clock.now();
    statement.latencies.add(ms);
  }

  #recordOf(sql: string, model: string | undefined, ms: number, slow: boolean, error: unknown): QueryRecord {
    const traceId = currentRequestContext()?.traceId;
    return {
      id: String(this.#total),
      time: new Date(this.clock.now() - ms).toISOString(),
      sql,
      ...(model !== undefined && { model }),
      duration_ms: roundedMs(ms),
      slow,
      ...(error !== undefined && { error: codeOf(error) }),
      ...(traceId !== undefined && { trace_id: traceId }),
    };
  }
}

function newStatement(sql: string, model: string | undefined): Statement {
  return { sql, model, errors: 0, slow: 0, totalMs: 0, maxMs: 0, lastAt: 0, latencies: new Latencies() };
}

function statisticsOf({ sql, model, errors, slow, totalMs, maxMs, lastAt, latencies }: Statement): StatementStatistics {
  return {
    sql,
    ...(model !== undefined && { model }),
    count: latencies.count,
    errors,
    slow,
    total_ms: roundedMs(totalMs),
    avg_ms: roundedMs(totalMs / Math.max(1, latencies.count)),
    p95_ms: roundedMs(latencies.percentile(95) ?? 0),
    max_ms: roundedMs(maxMs),
    last_seen: new Date(lastAt).toISOString(),
  };
}

// A copy, because a slice keeps the whole text alive in V8.
function shortened(sql: string): string {
  return sql.length <= MAX_SQL ? sql : `${cutText(sql, MAX_SQL)} … (${sql.length} characters)`;
}

function codeOf(error: unknown): string {
  if (isFwError(error)) return error.code;
  return error instanceof Error ? error.name : typeof error;
}
