import { NoopPlugin, type QueryContext } from '../core/index.js';

/** A span that is open while a statement runs. */
export interface QuerySpan {
  end(error: unknown): void;
}

/** Source of spans: Fleet's tracer or another one. */
export interface QueryTracer {
  /** Opens a span. Attributes carry the SQL text, never its values. */
  start(name: string, attributes: Readonly<Record<string, string | number>>): QuerySpan;
}

const SPAN = 'tracing.span';

/** Opens a span per statement, named after its verb and model, with the SQL text and without values. */
export function tracing(tracer: QueryTracer): NoopPlugin {
  return new Tracing(tracer);
}

class Tracing extends NoopPlugin {
  constructor(private readonly tracer: QueryTracer) {
    super();
  }

  override name(): string {
    return 'tracing';
  }

  override beforeExecute({ session, model, store }: QueryContext, sql: string, args: readonly unknown[]): void {
    const verb = /^\w+/.exec(sql)?.[0] ?? 'SQL';
    const attributes = {
      'db.system': session.database.dialect.name,
      'db.statement': sql,
      'db.parameters': args.length,
    };
    store.set(SPAN, this.tracer.start(`${verb} ${model ?? ''}`.trim(), attributes));
  }

  override afterExecute({ store }: QueryContext, _sql: string, _durationNanos: bigint, error: unknown): void {
    (store.get(SPAN) as QuerySpan | undefined)?.end(error);
  }
}
