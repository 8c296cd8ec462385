import { AsyncResource } from 'node:async_hooks';
import { fwError } from '../../../../kernel/index.js';
import { messageOf } from '../../../../kernel/errors/index.js';
import type { QueryObserver } from '../../../../kernel/contracts/query-observer.js';
import { ORM_ERRORS } from '../errors.js';
import type { PositionalRow } from '../model/model-definition.js';
import { chain } from './maybe-promise.js';
import type { Session } from './session.js';
import type { MaybePromise, ReservedConnection, SqlConnection, SqlTransactionConnection } from './sql-handle.js';

/** Rows of a stream, in portions. */
type Portions = AsyncIterable<readonly PositionalRow[]>;

/**
 * Tells observers of statements that go past the executor: those that the application runs on the handle or on a transaction itself.
 * A synchronous statement stays one.
 */
export class RawStatements {
  constructor(private readonly observers: readonly QueryObserver[]) {}

  /** @throws FwError `FW_ORM_PLUGIN` when an observer throws after a statement that went well */
  run<Result>(
    session: Session,
    sql: string,
    parameters: readonly unknown[],
    run: () => MaybePromise<Result>,
  ): MaybePromise<Result> {
    const end = this.#begin(session, sql, parameters);
    const ended = (result: Result) => {
      end(undefined);
      return result;
    };
    let running: MaybePromise<Result>;
    try {
      running = run();
    } catch (error) {
      return end(error);
    }
    return running instanceof Promise ? running.then(ended, end) : ended(running);
  }

  /** A stream is one statement, which lasts as long as it is read. */
  async *stream(
    session: Session,
    sql: string,
    parameters: readonly unknown[],
    portions: Portions,
  ): AsyncGenerator<readonly PositionalRow[]> {
    // The end may come within whatever the reader waited for, such as a socket that is ready again.
    const opened = new AsyncResource('fw.stream');
    const end = this.#begin(session, sql, parameters);
    let failure: unknown;
    try {
      yield* portions;
    } catch (error) {
      failure = error;
    } finally {
      // Here, because a reader may stop early.
      opened.runInAsyncScope(end, undefined, failure);
    }
  }

  // What it returns throws the error that it is given, or else what an observer throws.
  #begin(session: Session, sql: string, args: readonly unknown[]): (error: unknown) => never {
    const from = process.hrtime.bigint();
    return ((error: unknown) => {
      const nanos = process.hrtime.bigint() - from;
      const context = { session, model: undefined, args, store: new Map() };
      const failures = this.observers.flatMap((observer) => thrownBy(observer, context, sql, nanos, error));
      if (error !== undefined) throw error;
      if (failures.length > 0) throw failures[0];
    }) as (error: unknown) => never;
  }

  /**
   * A handle or a connection with its transactions and reserved connections, each statement of which is observed. A proxy, because a handle
   * of a third party may have more members than the contract, and none of those that may be missing.
   */
  observed<On extends SqlConnection>(on: On, session: Session): On {
    const made = new Map<PropertyKey, unknown>();
    return new Proxy(on, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function' || name === 'constructor') return member;
        if (!made.has(name)) made.set(name, this.#method(name, member.bind(target) as Method, session));
        return made.get(name);
      },
    });
  }

  #method(name: PropertyKey, call: Method, session: Session): Method {
    if (STATEMENTS.has(name))
      return (sql, ...more) => this.run(session, sql as string, valuesIn(more), () => call(sql, ...more));
    if (name === 'stream')
      return (sql, ...more) => this.stream(session, sql as string, valuesIn(more), call(sql, ...more) as Portions);
    if (name === 'begin')
      return (...given) =>
        chain(call(...given) as MaybePromise<SqlTransactionConnection>, (begun) => this.observed(begun, session));
    if (name === 'reserve')
      return (...given) =>
        chain(call(...given) as MaybePromise<ReservedConnection>, (reserved) => this.#reserved(reserved, session));
    return call;
  }

  #reserved(reserved: ReservedConnection, session: Session): ReservedConnection {
    return {
      connection: this.observed(reserved.connection, session),
      begin: async (options) => this.observed(await reserved.begin(options), session),
      giveBack: () => reserved.giveBack(),
    };
  }
}

type Method = (...given: unknown[]) => unknown;

const STATEMENTS: ReadonlySet<PropertyKey> = new Set(['query', 'queryFirst', 'execute', 'script']);

// A script has options in the place of values.
function valuesIn([values]: readonly unknown[]): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

function thrownBy(observer: QueryObserver, context: object, sql: string, nanos: bigint, error: unknown): Error[] {
  try {
    observer.afterExecute(context, sql, nanos, error);
    return [];
  } catch (cause) {
    const details = { phase: 'AfterExecute', plugin: observer.name(), reason: messageOf(cause) };
    return [fwError(ORM_ERRORS.FW_ORM_PLUGIN, details, { cause })];
  }
}
