import { NoopPlugin, type QueryContext } from '../core/index.js';

/** A span that is open while a statement runs. */
export interface QuerySpan {
  end(error: unknown): void;
}

/** Source of spans: Fleet's tracer or another one. */
export interface QueryTracer {
  /** Opens a span. Attributes carry the SQL text, never its values: `db.system.name`, `db.operation.name` and `db.query.text`. */
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

  override beforeExecute({ session, model, store }: QueryContext, sql: string): void {
    const { name, telemetry } = session.database.dialect;
    const verb = /^\w+/.exec(sql)?.[0] ?? 'SQL';
    // https://opentelemetry.io/docs/specs/semconv/database/database-spans/
    const attributes = {
      'db.system.name': telemetry?.system ?? name,
      'db.operation.name': verb,
      'db.query.text': sql,
    };
    store.set(SPAN, this.tracer.start(`${verb} ${model ?? ''}`.trim(), attributes));
  }

  override afterExecute({ store }: QueryContext, _sql: string, _durationNanos: bigint, error: unknown): void {
    (store.get(SPAN) as QuerySpan | undefined)?.end(error);
  }
}
