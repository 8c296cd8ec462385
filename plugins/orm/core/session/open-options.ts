import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { QueryObserver } from '../../../../kernel/contracts/query-observer.js';
import type { OptimizerPass } from '../plan/optimizer.js';
import { defaultPasses } from '../plan/passes/index.js';
import type { OrmPlugin } from './orm-plugin.js';
import { assertBoolean, assertMilliseconds } from './checked-options.js';
import { assertRetryPolicy, type RetryPolicy } from './retry.js';

/** How statements are executed. */
export interface ExecutorOptions {
  /** Prepared statements kept per connection, in place of what the handle was opened with (512 by default). */
  readonly stmtCacheSize?: number;
  /** Milliseconds per statement for calls without a timeout of their own; 0 for none. Default none. */
  readonly defaultTimeout?: number;
  /** Policy of `transaction.run` on this database for calls that give null. */
  readonly retryPolicy?: Partial<RetryPolicy>;
}

/** Options of `open` (SPEC "ORM values", open options). */
export interface OpenOptions {
  /** Distinct query shapes in the compiled-plan cache. Default 2000. */
  readonly compiledQueryCacheSize?: number;
  /** Cached scan plans. Default 2000. */
  readonly scanPlanCacheSize?: number;
  /** Plugins that run on every query, in order. */
  readonly plugins?: readonly OrmPlugin[];
  /** See every statement, also those of `sqlDB()` and of transactions that no model makes. */
  readonly observers?: readonly QueryObserver[];
  /** Stages of the optimizer; replaces the default pipeline. Empty switches it off. */
  readonly optimizerPasses?: readonly OptimizerPass[];
  readonly executor?: ExecutorOptions;
  /** Whether rows are validated before they are written, of `update` the columns that are given. Default false. */
  readonly validate?: boolean;
  /** Table that notes which migrations are applied. Default `schema_migrations`. */
  readonly migrationsTable?: string;
  /** Called once for each note to the developer, such as a given key that is not written. Default none. */
  readonly onNote?: (text: string) => void;
}

/** Size of the compiled-plan cache. */
export const withCompiledQueryCacheSize = (size: number): OpenOptions => ({ compiledQueryCacheSize: size });
/** Size of the cache of scan plans. */
export const withScanPlanCacheSize = (size: number): OpenOptions => ({ scanPlanCacheSize: size });
/** Plugins that run on every query; several calls add up. */
export const withPlugins = (...plugins: readonly OrmPlugin[]): OpenOptions => ({ plugins });
/** Observers of every statement, also of raw ones; several calls add up. */
export const withObservers = (...observers: readonly QueryObserver[]): OpenOptions => ({ observers });
/** Stages of the optimizer in place of the default ones. */
export const withOptimizerPasses = (...passes: readonly OptimizerPass[]): OpenOptions => ({ optimizerPasses: passes });
/** How statements are executed; several calls add up. */
export const withExecutorOptions = (...options: readonly ExecutorOptions[]): OpenOptions => ({
  executor: Object.assign({}, ...options) as ExecutorOptions,
});
/** Prepared statements kept per connection. */
export const withStmtCacheSize = (size: number): ExecutorOptions => ({ stmtCacheSize: size });
/** Milliseconds per statement; 0 for none. */
export const withDefaultTimeout = (milliseconds: number): ExecutorOptions => ({ defaultTimeout: milliseconds });
/** Policy of `transaction.run` for calls that give null. */
export const withRetryPolicy = (policy: Partial<RetryPolicy>): ExecutorOptions => ({ retryPolicy: policy });

/** Options with their defaults. */
export interface ResolvedOpenOptions extends Required<Omit<OpenOptions, 'executor' | 'onNote'>> {
  readonly onNote: OpenOptions['onNote'];
  readonly executor: ExecutorOptions;
}

const DEFAULT_CACHE_SIZE = 2000;
const DEFAULT_MIGRATIONS_TABLE = 'schema_migrations';

/**
 * Joins option fragments; plugins and executor options add up, the rest is replaced by the later one.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function resolveOpenOptions(fragments: readonly OpenOptions[]): ResolvedOpenOptions {
  const joined = Object.assign({}, ...fragments) as OpenOptions;
  const executor = Object.assign({}, ...fragments.map((each) => each.executor)) as ExecutorOptions;
  if (executor.stmtCacheSize !== undefined) size('stmtCacheSize', executor.stmtCacheSize);
  assertMilliseconds('defaultTimeout', executor.defaultTimeout);
  assertRetryPolicy(executor.retryPolicy);
  assertBoolean('validate', joined.validate);
  return {
    compiledQueryCacheSize: size('compiledQueryCacheSize', joined.compiledQueryCacheSize),
    scanPlanCacheSize: size('scanPlanCacheSize', joined.scanPlanCacheSize),
    plugins: fragments.flatMap(({ plugins }) => plugins ?? []),
    observers: fragments.flatMap(({ observers }) => observers ?? []),
    optimizerPasses: joined.optimizerPasses ?? defaultPasses,
    validate: joined.validate ?? false,
    migrationsTable: joined.migrationsTable ?? DEFAULT_MIGRATIONS_TABLE,
    onNote: joined.onNote,
    executor,
  };
}

function size(option: string, value: number = DEFAULT_CACHE_SIZE): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option, expected: 'a whole number above 0', got: value });
}
