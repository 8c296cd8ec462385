import type { ColumnInfo } from '../model/model-info.js';
import type { LogicalPlan } from '../plan/logical.js';
import type { MaybePromise } from './sql-handle.js';
import type { Session } from './session.js';

/** Context of a statement for plugin callbacks; one object per statement. */
export interface QueryContext {
  readonly session: Session;
  /** Name of the model, when the statement came from one. */
  readonly model: string | undefined;
  /** Parameters as the driver gets them. Set from `beforeExecute` on. */
  args: readonly unknown[];
  /** Storage of plugins between their callbacks. */
  readonly store: Map<string, unknown>;
}

/** A plugin of the ORM (SPEC "ORM values", plugin interface). All callbacks run in the order of registration. */
export interface OrmPlugin {
  name(): string;
  /** Rewrites a plan before it is compiled; runs once per shape unless {@link isRequestScoped}. */
  beforePlan?(plan: LogicalPlan): MaybePromise<LogicalPlan>;
  /** Runs before a statement; throwing keeps it from running. */
  beforeExecute?(context: QueryContext, sql: string, args: readonly unknown[]): MaybePromise<void>;
  /** Runs after a statement, with its nanoseconds, and its error when it failed. */
  afterExecute?(context: QueryContext, sql: string, durationNanos: bigint, error: unknown): MaybePromise<void>;
  /** Whether the plugin gives an inserted row the value of a column, so that the row may lack it. */
  fills?(column: ColumnInfo): boolean;
  /** True makes every query bypass the plan cache, because `beforePlan` decides by request. */
  isRequestScoped?(): boolean;
}

/** Defaults for every callback; extend it and override what is needed. */
export abstract class NoopPlugin implements OrmPlugin {
  abstract name(): string;

  beforePlan(plan: LogicalPlan): MaybePromise<LogicalPlan> {
    return plan;
  }

  beforeExecute(_context: QueryContext, _sql: string, _args: readonly unknown[]): MaybePromise<void> {}

  afterExecute(_context: QueryContext, _sql: string, _durationNanos: bigint, _error: unknown): MaybePromise<void> {}

  isRequestScoped(): boolean {
    return false;
  }
}
