import type { QueryObserver } from '../../../kernel/contracts/query-observer.js';
import type { SpanAttributes, SpanRecorder } from '../../../kernel/contracts/fleet.js';
import { objectOf } from '../../../kernel/values/index.js';
import { errorType } from './error-type.js';
import { statementText } from '../recorded/index.js';

const NANOS_PER_MS = 1e6;

/** Code of an error of a driver: `42P01`, `ECONNREFUSED`, `ER_DUP_ENTRY`, `1205`. */
const CODE = /^\w{1,64}$/;

/** Verb of a statement: its first word. */
const VERB = /^\s*(\w{1,16})/;

/**
 * An observer of the ORM that records each statement as a child of the request which made it. Literals in the text are replaced by
 * placeholders; neither arguments nor error messages are recorded.
 *
 * @example open(handle, dialect, withObservers(queryTracing(recorder)));
 */
export function queryTracing(recorder: SpanRecorder): QueryObserver {
  return {
    name: () => 'fleet/queries',
    afterExecute(context: unknown, sql: string, durationNanos: bigint, error: unknown): void {
      const { system, doubleQuotedTexts } = databaseOf(context);
      const method = VERB.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';
      const type = error === undefined ? undefined : errorType(error);
      recorder.record(undefined, {
        kind: 'query',
        name: statementText(sql, doubleQuotedTexts),
        method,
        durationMs: Number(durationNanos) / NANOS_PER_MS,
        attributes: attributesOf(system, method, type),
        ...(type !== undefined && { error: failureOf(type, error) }),
      });
    },
  };
}

// The code of the driver behind that of the ORM tells a server that is away from one that refuses.
function failureOf(type: string, error: unknown): string {
  const driver = objectOf(objectOf(error)['details'])['driverCode'];
  const code = typeof driver === 'number' ? String(driver) : driver;
  const isKnown = typeof code === 'string' && CODE.test(code) && code !== type;
  return `query failed${type === '_OTHER' ? '' : `: ${type}`}${isKnown ? ` (${code})` : ''}`;
}

// Of the ORM's context only the dialect's facts for traces are used.
function databaseOf(context: unknown): { readonly system: string; readonly doubleQuotedTexts: boolean } {
  const { session } = (context ?? {}) as { session?: { database?: { dialect?: TracedDialect } } };
  const { name, telemetry } = session?.database?.dialect ?? {};
  return {
    system: telemetry?.system ?? (typeof name === 'string' ? name : ''),
    doubleQuotedTexts: telemetry?.doubleQuotedTexts ?? false,
  };
}

interface TracedDialect {
  readonly name?: unknown;
  readonly telemetry?: { readonly system?: string; readonly doubleQuotedTexts?: boolean };
}

const known = new Map<string, SpanAttributes>();

// Cached, because an application has few combinations.
function attributesOf(system: string, operation: string, type: string | undefined): SpanAttributes {
  const key = `${system}\0${operation}\0${type ?? ''}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = {
    ...(system !== '' && { 'db.system.name': system }),
    'db.operation.name': operation,
    ...(type !== undefined && { 'error.type': type }),
  };
  if (known.size >= MEMORY) known.clear();
  known.set(key, made);
  return made;
}

const MEMORY = 200;
