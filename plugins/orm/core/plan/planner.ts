import { BoundedMap, type BoundedMapStats } from '../../../../kernel/bounded/index.js';
import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { Dialect } from '../dialect/dialect.js';
import { nameParts } from '../model/identifiers.js';
import type { RowScanner } from '../model/model-definition.js';
import type { ModelInfo } from '../model/model-info.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import { formError } from './form-error.js';
import { inPageOrder } from './keyset.js';
import type { Bound, LogicalDelete, LogicalInsert, LogicalPlan, LogicalSelect, LogicalUpdate } from './logical.js';
import type { OptimizerPass } from './optimizer.js';
import { placesOf, type Plan } from './plan.js';
import { PlanCache } from './plan-cache.js';
import { readShape, type ReadShape } from './read-shape.js';
import { assertSelectable, hasWindow, isAggregateItem, isGrouped } from './projection.js';
import {
  datePlaces,
  generalScanner,
  modelScanner,
  needsBigints,
  readersOf,
  selectScanner,
  type Readers,
} from './row-scanners.js';
import { ShapeForest, type PlanKind, type Shape } from './shape.js';
import { givesJoined, returnedRows, writeParts } from './write-form.js';

/** What rewrites plans before they are compiled: the plugins of the database, in order. */
export type PlanRewriter = (plan: LogicalPlan) => MaybePromise<LogicalPlan>;

/** What a planner is made of. */
interface PlannerSettings {
  readonly dialect: Dialect;
  readonly planCacheSize: number;
  readonly scanCacheSize: number;
  readonly passes: readonly OptimizerPass[];
  readonly rewrite: PlanRewriter | undefined;
  /** Compile every time: some plugin rewrites by request. */
  readonly bypassCache: boolean;
}

const SHAPES_PER_PLAN = 8;

/** Finds or makes the plan of a query. One per database. */
export class Planner {
  readonly forest: ShapeForest;
  readonly cache: PlanCache;
  /** Whether plans are made anew for each call, because some plugin rewrites by request. */
  readonly bypassesCache: boolean;
  readonly #readers: Readers;
  readonly #scanners: BoundedMap<ModelInfo, RowScanner<object>>;

  constructor(private readonly settings: PlannerSettings) {
    this.bypassesCache = settings.bypassCache;
    this.cache = new PlanCache(settings.planCacheSize);
    this.forest = new ShapeForest(settings.planCacheSize * SHAPES_PER_PLAN, () => this.cache.clear());
    this.#readers = readersOf(settings.dialect);
    this.#scanners = new BoundedMap(settings.scanCacheSize);
  }

  /** Scan plans that are kept. */
  get scanners(): BoundedMapStats {
    return this.#scanners.stats();
  }

  /** Whether a plugin sees plans before they are compiled, and may change them. */
  get rewrites(): boolean {
    return this.settings.rewrite !== undefined;
  }

  /** Plan of a shape, when it is kept already. */
  known(shape: Shape, kind: PlanKind): Plan | undefined {
    return this.bypassesCache ? undefined : this.cache.get(shape, kind);
  }

  /** Plan of a shape; compiled on first use, once even when several calls come at the same time. */
  plan(shape: Shape, kind: PlanKind): MaybePromise<Plan> {
    if (this.bypassesCache) return this.#compile(shape, kind, false);
    return this.known(shape, kind) ?? shape.compiling.get(kind) ?? this.#first(shape, kind);
  }

  #first(shape: Shape, kind: PlanKind): MaybePromise<Plan> {
    this.cache.missed();
    const made = this.#compile(shape, kind, true);
    if (!(made instanceof Promise)) return this.#keep(shape, kind, made);
    // Only with an asynchronous plugin; concurrent calls wait for the same compilation.
    const kept = made.then((plan) => this.#keep(shape, kind, plan)).finally(() => shape.compiling.delete(kind));
    shape.compiling.set(kind, kept);
    return kept;
  }

  #keep(shape: Shape, kind: PlanKind, plan: Plan): Plan {
    this.cache.put(shape, kind, plan);
    return plan;
  }

  #compile(shape: Shape, kind: PlanKind, kept: boolean): MaybePromise<Plan> {
    const logical = logicalPlan(readShape(shape, this.settings.dialect.capabilities.nullsSort), kind);
    return chain(this.rewritten(logical), (rewritten) => {
      return { ...this.compileLogical(rewritten, shape.values), home: kept ? { shape, kind } : undefined };
    });
  }

  /**
   * The plan of a query that is part of another statement.
   *
   * @throws FwError `FW_ORM_QUERY_FORM`
   */
  readable(shape: Shape): LogicalSelect {
    const { select } = readShape(shape, this.settings.dialect.capabilities.nullsSort);
    return paged(readable(select));
  }

  /** A logical plan after the plugins. */
  rewritten(plan: LogicalPlan): MaybePromise<LogicalPlan> {
    return this.settings.rewrite ? this.settings.rewrite(plan) : plan;
  }

  /** SQL and scanner of a logical plan, after the optimizer. */
  compileLogical(logical: LogicalPlan, values: number): Plan {
    assertWritable(logical);
    const plan = this.settings.passes.reduce((current, pass) => pass.apply(current), logical);
    const statement = this.settings.dialect.compiler.compile(plan);
    const identical = statement.slots.length === values && statement.slots.every((slot, at) => slot === at);
    const read = rowsOf(plan);
    const bigints = read ? needsBigints(read) : plan.kind === 'insert' && countsBigints(plan.model);
    const dates = read && this.settings.dialect.toldOfDates ? datePlaces(read) : undefined;
    return {
      sql: statement.sql,
      slots: identical ? undefined : statement.slots,
      places: identical ? undefined : placesOf(statement.slots, values),
      binders: statement.binders,
      equal: statement.equal,
      scan: read ? this.scannerOf(read) : countScanner,
      marks: logical.kind === 'update',
      joined: (logical.kind === 'update' || logical.kind === 'delete') && givesJoined(logical),
      bigints,
      dates,
      options: bigints || dates ? { bigints, dates, timeout: undefined, signal: undefined } : undefined,
      empty: isEmpty(plan),
      used: 0,
    };
  }

  /** Scanner of whole rows of a model. */
  modelScanner(model: ModelInfo): RowScanner<object> {
    return this.#scanners.use(model, () => modelScanner(model, this.#readers));
  }

  // Behind a right or full join there may be no row of the model: then every column is null.
  private wholeScanner({ model, joins }: LogicalSelect): RowScanner<object> {
    const mayBeMissing = joins.some(({ kind }) => kind === 'right' || kind === 'full');
    return mayBeMissing ? generalScanner(model, this.#readers) : this.modelScanner(model);
  }

  private scannerOf(select: LogicalSelect): RowScanner<object> {
    return selectScanner(select, this.#readers, this.wholeScanner(select));
  }
}

// The one way of every statement that changes rows.
function assertWritable({ kind, ...plan }: LogicalPlan): void {
  if (kind === 'select' || kind === 'count') return;
  const { model } = plan as LogicalUpdate | LogicalDelete | LogicalInsert;
  if (model.isView)
    throw fwError(ORM_ERRORS.FW_ORM_READ_ONLY, { model: model.name, table: model.table, operation: kind });
}

// The reported key of an insert is decoded like its column.
const countsBigints = ({ columns }: ModelInfo): boolean => {
  return columns.some(({ autoincrement, kind }) => autoincrement && kind === 'bigint');
};

// Rows that a statement gives, as a select of them.
const rowsOf = (plan: LogicalPlan): LogicalSelect | undefined =>
  plan.kind === 'select' ? plan : plan.kind === 'update' || plan.kind === 'delete' ? returnedRows(plan) : undefined;

const countScanner: RowScanner<object> = (row) => Number(row[0]) as unknown as object;

// A condition that can never hold needs no round trip; the optimizer finds it. An aggregate over no rows is a row all the same,
// and a raw item may be one.
function isEmpty(plan: LogicalPlan): boolean {
  if (plan.kind === 'insert') return false;
  const select = plan.kind === 'count' ? plan.of : plan.kind === 'select' ? plan : undefined;
  if (select?.sets) return false;
  const mayBeOne = select !== undefined && !isGrouped(select);
  if (mayBeOne && select.projection.some((item) => item.t === 'raw' || isAggregateItem(item))) return false;
  const { where } = select ?? (plan as LogicalUpdate | LogicalDelete);
  return where?.t === 'constant' && !where.value;
}

function logicalPlan({ select, assignments }: ReadShape, kind: PlanKind): LogicalPlan {
  const { model, where, deleted } = select;
  switch (kind) {
    case 'find':
      return paged(readable(select));
    case 'only':
      return { ...readable(select), limit: atMost(2, select.limit) };
    case 'first':
      return firstOf(readable(select));
    case 'exists':
      return existsOf(select);
    case 'count':
      return countOf(select);
    case 'update':
    case 'updateReturning':
      return { kind: 'update', model, assignments, where, deleted, ...writeParts({ select, assignments }, kind) };
    case 'delete':
    case 'deleteReturning':
      return { kind: 'delete', model, where, deleted, ...writeParts({ select, assignments }, kind) };
  }
}

// A limit of the query still counts: it may be 0.
function atMost(rows: number, limit: Bound | undefined): Bound {
  return limit === undefined || 'literal' in limit
    ? { literal: Math.min(limit?.literal ?? rows, rows) }
    : { ...limit, most: rows };
}

function paged(select: LogicalSelect): LogicalSelect {
  return select.limit === undefined && select.offset === undefined ? select : inPageOrder(select);
}

function firstOf(select: LogicalSelect): LogicalSelect {
  // A first row in no order is any row, which is found without sorting.
  const ordered = select.orderBy.length === 0 && select.offset === undefined ? select : inPageOrder(select);
  return { ...ordered, limit: atMost(1, select.limit) };
}

function existsOf(select: LogicalSelect): LogicalSelect {
  // What is selected decides how many rows there are when they are to be distinct, or are one aggregate.
  const projection = select.sets || select.distinct || isOneRow(select) ? select.projection : [{ t: 'one' } as const];
  return { ...select, projection, orderBy: [], lock: undefined, limit: atMost(1, select.limit) };
}

/** Aggregates without groups: one row, in no order. */
function isOneRow(select: LogicalSelect): boolean {
  return !select.sets && select.projection.length > 0 && !isGrouped(select) && select.projection.every(isAggregateItem);
}

function countOf(select: LogicalSelect): LogicalPlan {
  const { model, distinct, limit, offset, sets } = select;
  const isPicked = select.distinctOn !== undefined;
  const wrapped =
    sets !== undefined || distinct || isPicked || isGrouped(select) || limit !== undefined || offset !== undefined;
  // Rows that are only counted need no columns, and two of one name could not be in a table.
  const isRow = sets !== undefined || distinct || isOneRow(select);
  const projection = !wrapped ? [] : isRow ? select.projection : ONE;
  return { kind: 'count', model, of: { ...select, lock: undefined, orderBy: [], projection }, wrapped };
}

// A row that an outer join may miss is none that a database would lock.
function assertLocked({
  model,
  alias = nameParts(model.table)?.at(-1) ?? model.table,
  joins,
  lockOf = [],
}: LogicalSelect) {
  const sure = joins.filter(({ kind, source }) => (kind === 'inner' || kind === 'cross') && source === undefined);
  const known = [alias, ...sure.map((join) => join.alias)];
  const other = lockOf.find((name) => !known.includes(name));
  if (other !== undefined) throw formError(model, `rows of "${other}" are to be locked; only those of ${known.join(', ')} surely are there`); // prettier-ignore
}

const ONE: LogicalSelect['projection'] = [{ t: 'one', alias: 'fw_one' }];

function readable(select: LogicalSelect): LogicalSelect {
  const ordered = isOneRow(select) ? { ...select, orderBy: [] } : select;
  assertSelectable(ordered);
  return lockable(ordered);
}

function lockable(select: LogicalSelect): LogicalSelect {
  assertLocked(select);
  const isOfGroups = isGrouped(select) || select.projection.some(isAggregateItem);
  if (select.lock && (select.distinct || select.distinctOn || select.source || isOfGroups || hasWindow(select))) {
    throw formError(
      select.model,
      'a lock does not go together with distinct, groupBy, an aggregate, a window or rows of a query; lock the rows in a query of their own',
    );
  }
  return select;
}
