import { token } from '../container/token.js';

/**
 * Sees every statement that the application's database runs (SPEC "Events", 5): plugins contribute one, the `orm` plugin
 * installs them. While there is none, a statement pays nothing for it.
 */
export interface QueryObserver {
  /** Shown in errors. */
  name(): string;
  /**
   * Called after each statement; must be quick.
   * @param sql - the text, with placeholders where values belong
   * @param durationNanos - nanoseconds
   * @param error - what the driver threw, undefined when the statement went well
   */
  afterExecute(context: unknown, sql: string, durationNanos: bigint, error: unknown): void;
}

export const QueryObserver = token<QueryObserver>('fw.QueryObserver');
