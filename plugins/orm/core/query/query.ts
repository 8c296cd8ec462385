import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { alias as aliasOf, identifier } from '../model/identifiers.js';
import { ORM_ERRORS } from '../errors.js';
import { ComputedAssignment, type Assignment } from '../expression/assignment.js';
import type { ValueSource } from '../expression/operand.js';
import { Column } from '../expression/column.js';
import type { SumOf } from '../expression/column-types.js';
import { Derived, type Rows } from '../expression/derived.js';
import { Comparison } from '../expression/comparisons.js';
import { expressionOf, singleOf } from '../expression/conditions.js';
import type { Condition, Expression, PartSink } from '../expression/expression.js';
import { namedTarget } from '../expression/expression.js';
import type { Filter } from '../expression/filter.js';
import { OrderExpression, orderTarget, type OrderNotes, type OrderTerm } from '../expression/order.js';
import { Expr, Selection } from '../expression/selection.js';
import type {
  Again,
  CalledBy,
  Disordered,
  HavingNotes,
  Known,
  Maybe,
  MaybeAll,
  Misread,
  Problem,
  ReadsOnly,
  Readable,
  Sound,
  Unjoined,
} from '../expression/reach.js';
import { serialOf } from '../plan/serial.js';
import { Subselect } from '../expression/subquery.js';
import { ValueExpression, ValueOrder, ValueSelection } from '../expression/value.js';
import { rawText } from '../expression/raw-text.js';
import type { ModelClass } from '../model/model-definition.js';
import type { ColumnInfo } from '../model/model-info.js';
import { modelInfoOf } from '../model/model-registry.js';
import type {
  CheckedPath,
  CheckedPaths,
  ColumnKey,
  Declared,
  Linked,
  KeyedRow,
  LinkKey,
  NewRow,
  OfTable,
  PartialRow,
  PlainRow,
  PathStart,
  Row,
  rowsOf,
  WithRelation,
  WithRelations,
} from '../model/relation-types.js';
import { relationOf } from '../model/relations.js';
import type { RowWithKey } from '../preload/load-relations.js';
import { preloadSpecs, type PreloadOptions, type PreloadSpec } from '../preload/preload-options.js';
import { columnStep, keyedByItself, orderStep, plainTarget, selectStep, targetKey, type Step } from '../plan/steps.js';
import type { ColumnTarget, DeletedScope, JoinKind, LockMode, Part, SetOp } from '../plan/parts.js';
import type { Shape } from '../plan/shape.js';
import { DELETED_SCOPES } from '../plan/words.js';
import { promised } from '../session/maybe-promise.js';
import type { CallOptions, CreateOptions, Session } from '../session/session.js';
import { findWithKeys, runCount, runExists, runFind, runFirst, runOnly } from './reads.js';
import { createRow } from './creates.js';
import { createBatchRows, type Batch } from './create-batch.js';
import { runDelete, runUpdateAll, type UpdateArgument } from './bulk-writes.js';
import { cursorOf, cursorValues, type Cursor } from './cursor.js';
import { aggregateOf, explainQuery, streamRows, type Explanation, type StreamOptions } from './other-reads.js';
import type {
  Assigning,
  Assignments,
  Combined,
  GivesBack,
  ComputedRow,
  GroupsBy,
  Joins,
  MaybeMissing,
  NumericKey,
  OfQuery,
  Ordering,
  OtherModel,
  PicksBy,
  ReadBy,
  SameRows,
  United,
  Selectable,
  SelectedFrom,
  TellsApart,
  Upserting,
  WholeRow,
} from './query-types.js';
import { attachLinks, detachLinks, syncLinks, type LinkChanges } from './links.js';
import { lockStep, type LockOptions } from './locks.js';
import { createFrom } from './create-from.js';
import { upsertRows, type UpsertBatchOptions } from './upsert-batch.js';
import { upsertRow, type UpsertOptions } from './upsert.js';
import { Returning } from './returning.js';
import { ShapeSink } from './shape-sink.js';
import { wholeNumber } from '../plan/whole-number.js';
import { removeRow, saveRow, updateRow } from './row-writes.js';

/**
 * A query on a model: immutable, each step gives a new one that shares structure with its parent and never state
 * (SPEC "ORM operations"). Nothing runs before `find`, `first` and their kin.
 *
 * `Found` is what every row of the result has a row of: the model, and the aliases and models of joins. Columns of other tables may
 * be null, whatever their declaration says.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- who names the type without its last parameter means queries that are right and wrong
export class Query<Model extends object, Result, Found = Model, Wrong = any> extends Subselect {
  declare readonly result: Result;
  /** Exists only in types. A parameter, because a query that finds more can stand for one that finds less. */
  declare readonly found: (from: Found) => void;
  /** Exists only in types: checked by the methods that write, because rows of a view are read-only. */
  declare readonly [rowsOf]?: Model;
  /** Exists only in types: messages why the query is invalid; see {@link Sound}. */
  declare readonly wrong: Wrong;

  constructor(
    readonly session: Session,
    readonly shape: Shape,
    readonly previous: Query<Model, unknown, never> | undefined,
    private readonly value: unknown,
    readonly preloads: readonly PreloadSpec[] | undefined = undefined,
  ) {
    super();
  }

  /**
   * Rows that meet a condition, or whose columns have the values of an object; several calls are ANDed.
   *
   * @throws FwError `FW_ORM_EXPRESSION`, `FW_ORM_UNKNOWN_COLUMN`, `FW_ORM_VALUE` for an undefined value in an object
   * @example model(db, Order).where({ status: 'open', customerId: 7 })
   */
  where(condition: OfQuery<Model, Found> | Filter<Model>): Query<Model, Result, Found, Wrong>;
  where<Reads>(
    condition: Condition<Reads>,
  ): Query<Model, Result, Found | ReadsOnly<Reads>, Wrong | Misread<Model, Known<Reads>, Readable<Found>>>;
  where(condition: Condition | Filter<Model>): unknown {
    if (condition instanceof Comparison && condition.value !== null) {
      return this.#step(condition.step, condition.value);
    }
    const { shape } = this;
    return this.#expression(shape, expressionOf(condition, shape.model));
  }

  /** Order of the rows; terms of several calls follow each other. */
  orderBy<const Terms extends readonly Ordering[]>(
    ...terms: Terms
  ): Query<Model, Result, Found | OrderNotes<Terms[number]>, Wrong | Disordered<Found, OrderNotes<Terms[number]>>>;
  orderBy(...terms: readonly Ordering[]): unknown {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- each term is a step from the query before
    let query: Query<Model, Result, Found, Wrong> = this;
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as Ordering;
      if (term instanceof ValueOrder) {
        query = query.#orderValue(term);
        continue;
      }
      query = query.#step(term instanceof OrderExpression ? term.step : query.#orderTerm(term));
    }
    return query;
  }

  /**
   * At most `count` rows.
   *
   * @throws FwError `FW_ORM_NUMBER`
   */
  limit(count: number): Query<Model, Result, Found, Wrong> {
    return this.#step(LIMIT, wholeNumber('limit', count, 0));
  }

  /**
   * Rows behind the first `count`.
   *
   * @throws FwError `FW_ORM_NUMBER`
   */
  offset(count: number): Query<Model, Result, Found, Wrong> {
    return this.#step(OFFSET, wholeNumber('offset', count, 0));
  }

  /** Page `page` of `size` rows, counted from 1: `page(3, 20)` is limit 20 offset 40. A page below 1 is the first. */
  page(page: number, size: number): Query<Model, Result, Found, Wrong> {
    const at = Math.max(1, wholeNumber('page', page, Number.MIN_SAFE_INTEGER));
    return this.limit(size).offset((at - 1) * size);
  }

  /**
   * Columns of the result; several calls add up. Rows are plain objects then, with what was selected and nothing else. A column of
   * a joined table is null where the join found no row; the type knows when it always finds one if the join stands before.
   *
   * SQL of your own is a `selectExpr`. Two items of one name are an error, `FW_ORM_QUERY_FORM`: give one another with `as`.
   */
  select<Self extends { readonly result: unknown }, const Items extends readonly Selectable<Model>[]>(
    this: Self,
    ...items: Items
  ): SelectedFrom<Model, Self, Items> {
    const query = this as unknown as Query<Model, unknown, never>;
    return items.reduce((all, item) => all.#select(item), query) as never;
  }

  /**
   * Of rows that have the same values in some columns, or the same computed values, only the first, in the order of the query:
   * `distinctOn(order.customerId).orderBy(order.createdAt.desc())` is the newest order of each customer. The result is in the order of
   * these, then of the query. Several calls add up.
   *
   * @throws FwError `FW_ORM_QUERY_FORM`, when the query runs
   */
  distinctOn<const By extends readonly [TellsApart<Model>, ...TellsApart<Model>[]]>(
    ...terms: By
  ): Query<Model, Result, Found | PicksBy<By[number]>, Wrong | Unjoined<PicksBy<By[number]>, Readable<Found>>> {
    return this.#terms(terms, 'distinctOn', DISTINCT_ON_VALUE) as never;
  }

  /**
   * Gives the queried table another name in this query, so that it can be a subquery of a query on the same table: `order.id` is then the
   * column of this query, and `order.id.of('orders')` that of the outer query.
   *
   * @throws FwError `FW_ORM_IDENTIFIER`
   */
  as<const Alias extends string>(alias: Alias): Query<Model, Result, Exclude<Found, CalledBy<Model>> | Alias, Wrong> {
    aliasOf(alias);
    return this.#step({ key: `alias:${alias}`, part: { t: 'alias', alias, values: 0 } }) as never;
  }

  /** Distinct rows only. */
  distinct(): Query<Model, Result, Found, Wrong> {
    return this.#step(DISTINCT);
  }

  /**
   * Rows of this query and of another one, each once. Order, limit and offset stand behind it, and are of all rows; both queries select
   * the same names of the same types in the same order.
   *
   * @throws FwError `FW_ORM_QUERY_FORM`, when the query runs
   */
  union<Other extends SameRows<Result>>(other: Other): United<Model, Result, Found, Wrong, Other> {
    return this.#set('union', other) as never;
  }

  /** Rows of this query and of another one, all of them; see {@link union}. */
  unionAll<Other extends SameRows<Result>>(other: Other): United<Model, Result, Found, Wrong, Other> {
    return this.#set('unionAll', other) as never;
  }

  /** Rows that both queries have, each once; see {@link union}. */
  intersect<Other extends SameRows<Result>>(other: Other): Combined<Model, Result, Found, Wrong, Other> {
    return this.#set('intersect', other) as never;
  }

  /**
   * Rows that both queries have, each as often as the one that has it less often; see {@link union}. Not on SQLite and SQL Server.
   *
   * @throws FwError `FW_ORM_UNSUPPORTED`
   */
  intersectAll<Other extends SameRows<Result>>(other: Other): Combined<Model, Result, Found, Wrong, Other> {
    return this.#set('intersectAll', other) as never;
  }

  /**
   * Rows of this query, of which each row of the other takes one away; see {@link union}. Not on SQLite and SQL Server.
   *
   * @throws FwError `FW_ORM_UNSUPPORTED`
   */
  exceptAll<Other extends SameRows<Result>>(other: Other): Combined<Model, Result, Found, Wrong, Other> {
    return this.#set('exceptAll', other) as never;
  }

  /** Rows that the other query does not have, each once; see {@link union}. */
  except<Other extends SameRows<Result>>(other: Other): Combined<Model, Result, Found, Wrong, Other> {
    return this.#set('except', other) as never;
  }

  /**
   * Locks the rows until the transaction ends; see `LockForUpdate` and its kin.
   *
   * @param options - `of`: whose rows, by the names that tables have in the query; all of them when left out. PostgreSQL alone has it
   *   behind joins, SQL Server for the queried table
   * @throws FwError `FW_ORM_WORD` for any other word, on every database; `FW_ORM_QUERY_FORM` for a name that is none of a table whose
   *   rows surely are there, `FW_ORM_UNSUPPORTED`
   * @example model(db, Job).innerJoin(Queue, 'q', ...).lock(LockForUpdateSkipLocked, { of: ['jobs'] })
   */
  lock(mode: LockMode | undefined, options: LockOptions = {}): Query<Model, Result, Found, Wrong> {
    if (mode === undefined) return this;
    return this.#step(lockStep(mode, options));
  }

  /** `INNER JOIN`; the table by name or by model, or a query that stands for one. */
  innerJoin<const Alias extends string, Reads = unknown>(
    table: Derived<unknown, Alias>,
    on: Condition<Reads>,
  ): Joins<Model, Result, Wrong, Found | Alias, Reads>;
  innerJoin<const Alias extends string, Joined extends object = never, Reads = unknown>(
    table: string | ModelClass<Joined>,
    alias: Alias,
    on: Condition<Reads>,
  ): Joins<Model, Result, Wrong, Found | Alias | OtherModel<Joined, Model>, Reads>;
  innerJoin(table: Joinable, alias: string | Condition, on?: Condition): unknown {
    return this.#join('inner', table, alias, on);
  }

  /** `LEFT JOIN` */
  leftJoin<const Alias extends string, Reads = unknown>(
    table: Derived<unknown, Alias>,
    on: Condition<Reads>,
  ): Joins<Model, Result, Wrong, Found | Maybe<Alias>, Reads>;
  leftJoin<const Alias extends string, Joined extends object = never, Reads = unknown>(
    table: string | ModelClass<Joined>,
    alias: Alias,
    on: Condition<Reads>,
  ): Joins<Model, Result, Wrong, Found | Maybe<Alias | OtherModel<Joined, Model>>, Reads>;
  leftJoin(table: Joinable, alias: string | Condition, on?: Condition): unknown {
    return this.#join('left', table, alias, on);
  }

  /** `RIGHT JOIN`; the row of the model may be missing. */
  rightJoin<const Alias extends string, Reads = unknown>(
    table: Derived<unknown, Alias>,
    on: Condition<Reads>,
  ): Joins<Model, MaybeMissing<Result>, Wrong, Alias | MaybeAll<Found>, Reads>;
  rightJoin<const Alias extends string, Joined extends object = never, Reads = unknown>(
    table: string | ModelClass<Joined>,
    alias: Alias,
    on: Condition<Reads>,
  ): Joins<Model, MaybeMissing<Result>, Wrong, Alias | OtherModel<Joined, Model> | MaybeAll<Found>, Reads>;
  rightJoin(table: Joinable, alias: string | Condition, on?: Condition): unknown {
    return this.#join('right', table, alias, on);
  }

  /** `FULL JOIN`; the row of the model may be missing. */
  fullJoin<const Alias extends string, Reads = unknown>(
    table: Derived<unknown, Alias>,
    on: Condition<Reads>,
  ): Joins<Model, MaybeMissing<Result>, Wrong, MaybeAll<Found> | Maybe<Alias>, Reads>;
  fullJoin<const Alias extends string, Joined extends object = never, Reads = unknown>(
    table: string | ModelClass<Joined>,
    alias: Alias,
    on: Condition<Reads>,
  ): Joins<Model, MaybeMissing<Result>, Wrong, MaybeAll<Found> | Maybe<Alias | OtherModel<Joined, Model>>, Reads>;
  fullJoin(table: Joinable, alias: string | Condition, on?: Condition): unknown {
    return this.#join('full', table, alias, on);
  }

  /** `CROSS JOIN` */
  crossJoin<const Alias extends string>(
    table: Derived<unknown, Alias>,
  ): Query<Model, Result, Found | Alias, Again<Wrong, Found | Alias>>;
  crossJoin<const Alias extends string, Joined extends object = never>(
    table: string | ModelClass<Joined>,
    alias: Alias,
  ): Query<
    Model,
    Result,
    Found | Alias | OtherModel<Joined, Model>,
    Again<Wrong, Found | Alias | OtherModel<Joined, Model>>
  >;
  crossJoin(table: Joinable, alias?: string): unknown {
    return this.#join('cross', table, alias ?? '', undefined);
  }

  /** Groups of equal values; use with `select` of the same columns and aggregates. */
  groupBy<const By extends TellsApart<Model>>(
    ...columns: readonly By[]
  ): Query<Model, Result, Found | GroupsBy<Model, By>, Problem<Wrong, Found | GroupsBy<Model, By>>> {
    return this.#terms(columns, 'group', GROUP_VALUE) as never;
  }

  /** Condition on groups; several calls are ANDed. */
  having<Given extends Condition>(
    condition: Given,
  ): Query<
    Model,
    Result,
    Found | HavingNotes<Model, ReadBy<Given>>,
    Problem<Wrong | Misread<Model, ReadBy<Given>, Readable<Found>>, Found | HavingNotes<Model, ReadBy<Given>>>
  >;
  having(condition: Condition): unknown {
    return this.#expression(this.shape.then(HAVING.key, HAVING.part), expressionOf(condition, this.shape.model));
  }

  /**
   * Loads relations with the rows: `lines`, or `customer.orders` for a nested one. One query per relation and level.
   *
   * @param path - the first of the paths
   * @param more - further paths, and options made by `withPreloadWhere`, `withPreloadOrder`, `withPreloadLimit`, `withBatchPreload`;
   *   these apply to the last segment of the path before them
   * @throws FwError `FW_ORM_RELATION` for a segment that is no relation, `FW_ORM_OPTIONS`
   * @example model(db, Order).preload('customer', 'lines.product', withPreloadLimit(10))
   */
  preload<const Path extends PathStart<Model>>(
    path: Path & CheckedPath<Model, Path>,
    ...options: readonly PreloadOptions[]
  ): Query<Model, WithRelation<Result, Model, Path>, Found, Wrong>;
  preload<const Path extends PathStart<Model>, const More extends readonly (PathStart<Model> | PreloadOptions)[]>(
    path: Path & CheckedPath<Model, Path>,
    ...more: More & CheckedPaths<Model, More>
  ): Query<Model, WithRelations<WithRelation<Result, Model, Path>, Model, More>, Found, Wrong>;
  preload(path: string, ...more: readonly (string | PreloadOptions)[]): unknown {
    const given: readonly (string | PreloadOptions)[] = [path, ...more];
    if (typeof path !== 'string') throw this.#refused(path, 'a path of relations');
    const specs = preloadSpecs(given);
    for (const spec of specs)
      spec.path.split('.').reduce((info, segment) => relationOf(info, segment).target, this.shape.model);
    return new Query(this.session, this.shape, this, [], [...(this.preloads ?? []), ...specs]) as never;
  }

  /**
   * Adds the column as one more value after each row; relations through a join table are assigned to their parents by it.
   * @internal
   */
  withKey(target: ColumnTarget): Query<Model, Result, Found, Wrong> {
    return this.#step({ key: `key:${targetKey(target)}`, part: { t: 'key', target, values: 0 } });
  }

  /**
   * All rows with the key that `withKey` put behind each.
   * @internal
   */
  findWithKeys(key: ColumnInfo, options: CallOptions | undefined): Promise<readonly RowWithKey[]> {
    return findWithKeys(this, key, options);
  }

  /**
   * The query with an assignment; how rows are updated.
   * @internal
   */
  assigned(assignment: Assignment): Query<Model, Result, Found, Wrong> {
    const { step, value } = assignment;
    if (assignment instanceof ComputedAssignment) return this.#valued(step, assignment.source);
    return this.#step(step, value);
  }

  /**
   * The same query in another session.
   * @internal
   */
  on(session: Session): Query<Model, Result, Found, Wrong> {
    return new Query<Model, Result, Found, Wrong>(session, this.shape, this.previous, this.value, this.preloads);
  }

  /**
   * A query on another model; how relations are loaded, and links read and written.
   * @internal
   */
  relatedIn(session: Session, target: ModelClass): Query<object, unknown> {
    return model<object>(session, target) as Query<object, unknown>;
  }

  /**
   * At most `count` rows for each combination of values of some columns.
   * @internal
   */
  perGroup(targets: readonly ColumnTarget[], count: number): Query<Model, Result, Found, Wrong> {
    const key = `perGroup:${targets.map(targetKey).join()}`;
    return this.#step({ key, part: { t: 'perGroup', targets, values: 1 } }, count);
  }

  /**
   * Rows behind a cursor, in the order of the query; the primary key is added as the last term, so that no row is skipped or
   * repeated. Add `orderBy` first. Null or undefined is the first page.
   *
   * @throws FwError `FW_ORM_CURSOR` when the cursor is damaged or belongs to another order
   */
  after(cursor: Cursor | null | undefined): Query<Model, Result, Found, Wrong> {
    return this.#page(cursor, false);
  }

  /** Rows before a cursor, nearest first. */
  before(cursor: Cursor): Query<Model, Result, Found, Wrong> {
    return this.#page(cursor, true);
  }

  /** Position of a row in the order of this query, for `after`. The row must hold every column of the order. */
  cursorOf(row: object): Cursor {
    return cursorOf(this.shape, row);
  }

  /** Shows or hides soft-deleted rows: all of them, only those, or for writes no rewriting at all. */
  withDeleted(scope: DeletedScope = 'with'): Query<Model, Result, Found, Wrong> {
    DELETED_SCOPES.checked(scope);
    return this.#step({ key: `scope:${scope}`, part: { t: 'scope', deleted: scope, values: 0 } });
  }

  /** Rows in portions, read as they are asked for, so that a large result never stands in memory as a whole. */
  stream(this: Sound, options: StreamOptions = {}): AsyncIterableIterator<Result> {
    return streamRows(this as never, options) as AsyncIterableIterator<Result>;
  }

  /** What the database would do: its own plan as rows, with the statement. Nothing is read or changed. */
  explain(this: Sound, options?: CallOptions): Promise<Explanation> {
    return explainQuery(this as never, options);
  }

  /** `SUM` of a column over all matching rows, exact for `bigint` and `Decimal`; null without any. */
  sum<Key extends NumericKey<Model>>(column: Key, options?: CallOptions): Promise<SumOf<Model[Key]> | null> {
    return aggregateOf(this as never, 'sum', column, options);
  }

  /** `AVG` of a column over all matching rows, as a double; null without any. */
  avg(column: NumericKey<Model>, options?: CallOptions): Promise<number | null> {
    return aggregateOf(this as never, 'avg', column, options);
  }

  /** `MIN` of a column over all matching rows; null without any. */
  min<Key extends ColumnKey<Model>>(column: Key, options?: CallOptions): Promise<Model[Key] | null> {
    return aggregateOf(this as never, 'min', column, options);
  }

  /** `MAX` of a column over all matching rows; null without any. */
  max<Key extends ColumnKey<Model>>(column: Key, options?: CallOptions): Promise<Model[Key] | null> {
    return aggregateOf(this as never, 'max', column, options);
  }

  /** All matching rows. */
  find(this: Sound, options?: CallOptions): Promise<Result[]> {
    return promised(runFind, this as never, options) as Promise<Result[]>;
  }

  /**
   * The first matching row.
   *
   * @throws FwError `FW_ORM_NO_ROWS` with the text `orm: no rows found`
   */
  first(this: Sound, options?: CallOptions): Promise<Result> {
    return promised(runFirst, this as never, options) as Promise<Result>;
  }

  /** Number of matching rows. */
  count(this: Sound, options?: CallOptions): Promise<number> {
    return promised(runCount, this as never, options);
  }

  /** Whether any row matches. */
  exists(this: Sound, options?: CallOptions): Promise<boolean> {
    return promised(runExists, this as never, options);
  }

  /**
   * Inserts one row and gives it back with what the database generated, as an instance of the model. Runs the hooks
   * beforeSave, beforeCreate, afterCreate, afterSave. A row that is an instance already is filled and returned itself.
   * With generated code, columns that neither the database nor a hook fills are required by the type; those that the database counts
   * are offered with `keepKeys` alone.
   */
  create(this: OfTable, row: NewRow<Model>, options?: CallOptions & { readonly keepKeys?: false }): Promise<Row<Model>>;
  create(this: OfTable, row: KeyedRow<Model>, options: CreateOptions): Promise<Row<Model>>;
  create(
    this: OfTable,
    row: ComputedRow<Model>,
    options?: CallOptions & { readonly keepKeys?: false },
  ): Promise<Row<Model>>;
  create(row: object, options?: CreateOptions): Promise<Row<Model>> {
    return promised(() => createRow(this as never, row as object, options)) as Promise<Row<Model>>;
  }

  /**
   * Writes a row: inserts it when it has no key yet, else updates it. Runs beforeSave and afterSave around the hooks of
   * the one or the other.
   */
  save(this: OfTable, row: PlainRow<Model>, options?: CallOptions): Promise<Declared<Model>> {
    return saveRow(this as never, row, options) as Promise<Declared<Model>>;
  }

  /**
   * Updates the row of the same primary key; columns that are undefined stay as they are, also where the class has an
   * initialiser. A row of nothing but its key is only looked for. Runs beforeSave, beforeUpdate, afterUpdate, afterSave.
   *
   * @throws FwError `FW_ORM_ROW_GONE`, `FW_ORM_NO_PRIMARY_KEY`
   */
  update(this: OfTable, row: PlainRow<Model>, options?: CallOptions): Promise<Declared<Model>> {
    return updateRow(this as never, row, options) as Promise<Declared<Model>>;
  }

  /**
   * Deletes the row of the same primary key. Runs beforeDelete and afterDelete.
   *
   * @throws FwError `FW_ORM_ROW_GONE`, `FW_ORM_NO_PRIMARY_KEY`
   */
  remove(this: OfTable, row: PartialRow<Model>, options?: CallOptions): Promise<void> {
    return removeRow(this as never, row, options);
  }

  /**
   * Links one row or several to others, through the join table of a manyToMany: to each of `related`, which are rows or their keys.
   * Links that are there stay as they are. In one transaction, many per statement. @returns how many links were made
   *
   * @throws FwError `FW_ORM_LINK_MISSING` for a related row that is not there, `FW_ORM_LINK_TWICE` for one that is named twice,
   *   `FW_ORM_ROW_GONE`
   * @example await model(db, Post).attach(post, 'tags', [red, blue]);
   */
  attach<Key extends LinkKey<Model>>(
    rows: PartialRow<Model> | readonly PartialRow<Model>[],
    relation: Key,
    related: readonly Linked<Model, Key>[],
    options?: CallOptions,
  ): Promise<number> {
    return promised(() => attachLinks(this as never, { operation: 'attach', rows, relation, related, call: options }));
  }

  /**
   * Removes links of one row or several: to each of `related`, or with `'all'` to any. What is not linked is no error. @returns how
   * many links were removed
   *
   * @throws FwError `FW_ORM_LINK_TWICE`, `FW_ORM_ROW_GONE`
   */
  detach<Key extends LinkKey<Model>>(
    rows: PartialRow<Model> | readonly PartialRow<Model>[],
    relation: Key,
    related: readonly Linked<Model, Key>[] | 'all',
    options?: CallOptions,
  ): Promise<number> {
    return promised(() => detachLinks(this as never, { operation: 'detach', rows, relation, related, call: options }));
  }

  /**
   * Links one row or several to exactly `related`: what is missing is attached, and all others are detached.
   *
   * @throws FwError `FW_ORM_LINK_MISSING`, `FW_ORM_LINK_TWICE`, `FW_ORM_ROW_GONE`
   */
  sync<Key extends LinkKey<Model>>(
    rows: PartialRow<Model> | readonly PartialRow<Model>[],
    relation: Key,
    related: readonly Linked<Model, Key>[],
    options?: CallOptions,
  ): Promise<LinkChanges> {
    return promised(() => syncLinks(this as never, { operation: 'sync', rows, relation, related, call: options }));
  }

  /**
   * Inserts a row, or updates the one that is there already, in one statement; see {@link UpsertOptions}. Runs no hooks.
   *
   * @returns what is known of the stored row: all of it where the database gives it back (PostgreSQL, SQL Server), else the key that was
   *   named and what was overwritten
   */
  upsert(
    this: OfTable,
    row: NewRow<Model>,
    options: UpsertOptions = {},
    call?: CallOptions,
  ): Promise<PartialRow<Model>> {
    return promised(() => upsertRow(this as never, row as object, options, call)) as Promise<PartialRow<Model>>;
  }

  /**
   * Inserts rows, or updates those that are there already, several per statement and all in one transaction; see
   * {@link UpsertBatchOptions}. Runs no hooks, and fills nothing into the rows.
   *
   * @throws FwError `FW_ORM_UPSERT_TWICE` for two rows of one key
   * @example await model(db, Stock).upsertBatch(rows, { conflict: 'sku', update: ['pieces'], where: excluded(stock.at).gt(stock.at) });
   */
  upsertBatch<Item extends Assignment = never, Reads = never>(
    this: OfTable & Upserting<Model, Item, Reads>,
    rows: readonly NewRow<Model>[],
    options: UpsertBatchOptions<Item, Reads> = {},
    call?: CallOptions,
  ): Promise<void> {
    return promised(() => upsertRows(this as never, rows as readonly object[], options, call));
  }

  /**
   * Inserts the rows of a query, which stay in the database: what is selected goes into the columns of the same properties. Runs no
   * hooks. @returns affected rows
   *
   * @throws FwError `FW_ORM_QUERY_FORM`, `FW_ORM_UNKNOWN_COLUMN`, `FW_ORM_NULL_VALUE`, `FW_ORM_READ_ONLY_COLUMN`
   * @example await model(db, Archived).createFrom(model(db, Order).where({ status: 'closed' }).select('number', 'total'));
   */
  createFrom(this: OfTable, rows: Rows<NewRow<Model>>, options?: CallOptions): Promise<number> {
    return promised(() => createFrom(this as never, rows, options));
  }

  /**
   * The one row that matches; for reads by a unique key.
   *
   * @throws FwError `FW_ORM_NO_ROWS`, `FW_ORM_SEVERAL_ROWS`
   */
  only(this: Sound, options?: CallOptions): Promise<Result> {
    return promised(() => runOnly(this as never, options)) as Promise<Result>;
  }

  /** Inserts many rows in one transaction, several per statement; with their keys where `keepKeys` says so. @returns affected rows */
  createBatch(
    this: OfTable,
    rows: Batch<NewRow<Model>>,
    options?: CallOptions & { readonly keepKeys?: false },
  ): Promise<number>;
  createBatch(this: OfTable, rows: Batch<KeyedRow<Model>>, options: CreateOptions): Promise<number>;
  createBatch(rows: Batch<object>, options?: CreateOptions): Promise<number> {
    return createBatchRows(this, rows as Batch<object>, options);
  }

  /**
   * Updates all matching rows. Options of the call stand behind the assignments. @returns affected rows
   *
   * @throws FwError `FW_ORM_NOTHING_TO_SET`, `FW_ORM_READ_ONLY_COLUMN`
   * @example await users.updateAll(user.active.set(false), { timeout: 500 });
   */
  updateAll<Given extends Assignments>(
    this: OfTable & Assigning<Model, Found, Given>,
    ...assignments: Given
  ): Promise<number> {
    return promised(runUpdateAll, this as never, assignments as readonly UpdateArgument[]);
  }

  /**
   * Has `updateAll` and `delete` give the rows that they write: whole ones, or what is selected of them. Where the database gives none,
   * they are locked, written and read by their keys, in one transaction.
   *
   * @example await model(db, Order).where({ status: 'open' }).returning('id', 'total').updateAll(order.status.set('closed'));
   */
  returning(this: OfTable): Returning<Row<Model>, Wrong, Model, Found>;
  returning<const Items extends readonly [Selectable<Model>, ...Selectable<Model>[]]>(
    this: OfTable,
    ...items: Items
  ): GivesBack<Model, Found, Wrong, Items>;
  returning(...items: readonly Selectable<Model>[]): unknown {
    return new Returning(this as never, items as never);
  }

  /** Deletes all matching rows. @returns affected rows */
  delete(this: OfTable & Sound, options?: CallOptions): Promise<number> {
    return promised(runDelete, this as never, options);
  }

  /**
   * Values in builder order; the parts of `shape` say what they are.
   *
   * @param places - where each goes instead
   */
  override values(places?: readonly number[]): unknown[] {
    let { values: left } = this.shape;
    const values = new Array<unknown>(left);
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- a walk along the chain, without a call per step
    let at: Query<Model, unknown, never> = this;
    // The first query of a chain has no values, so a query with values has a predecessor.
    while (left > 0) {
      const previous = at.previous as Query<Model, unknown, never>;
      const before = previous.shape.values;
      if (left - before === 1) values[places === undefined ? before : (places[before] as number)] = at.value;
      else {
        for (let own = before; own < left; own++) {
          values[places === undefined ? own : (places[own] as number)] = (at.value as unknown[])[own - before];
        }
      }
      left = before;
      at = previous;
    }
    return values;
  }

  #set(op: SetOp, other: Subselect): Query<Model, Result, Found, Wrong> {
    if (!(other instanceof Subselect)) throw this.#refused(other, 'a query to combine with');
    const { shape } = other;
    const part: Part = { t: 'combine', op, query: shape, values: shape.values };
    return this.#step({ key: `combine:${op}:${serialOf(shape)}`, part }, singleOf(other.values()));
  }

  #step({ key, part }: Step, value?: unknown): Query<Model, Result, Found, Wrong> {
    return new Query<Model, Result, Found, Wrong>(this.session, this.shape.then(key, part), this, value, this.preloads);
  }

  #expression(from: Shape, expression: Expression): Query<Model, Result, Found, Wrong> {
    return this.#written(from, (sink) => expression.appendTo(sink));
  }

  /** A step that is followed by a value. */
  #valued({ key, part }: Step, source: ValueSource): Query<Model, Result, Found, Wrong> {
    return this.#written(this.shape.then(key, part), (sink) => source.appendValueTo(sink));
  }

  #terms(terms: readonly TellsApart<Model>[], t: 'distinctOn' | 'group', ofValue: Step) {
    return terms.reduce<Query<Model, Result, Found, Wrong>>((query, term) => {
      if (term instanceof ValueExpression) return query.#valued(ofValue, term);
      const target = term instanceof Column ? term.target : namedTarget(this.shape.model, term);
      return query.#step(columnStep(target, t, () => ({ t, target, values: 0 })));
    }, this);
  }

  #written(from: Shape, write: (sink: PartSink) => void): Query<Model, Result, Found, Wrong> {
    const sink = new ShapeSink(from, this.session.database.dialect.capabilities);
    write(sink);
    return new Query<Model, Result, Found, Wrong>(this.session, sink.shape, this, sink.single(), this.preloads);
  }

  #page(cursor: Cursor | null | undefined, before: boolean): Query<Model, Result, Found, Wrong> {
    // The first page has no position, but needs the same order as the following ones.
    const values = cursor === null || cursor === undefined ? [] : cursorValues(this.shape, cursor);
    const nulls = values.map((value) => (value === null ? 'n' : 'v')).join('');
    const part: Part = { t: 'after', nulls, before, values: values.length };
    return this.#step({ key: `after:${nulls}:${before}`, part }, singleOf(values));
  }

  #orderValue({ source, desc, nulls }: ValueOrder): Query<Model, Result, Found, Wrong> {
    const part: Part = { t: 'orderValue', desc, nulls, values: 0 };
    return this.#valued({ key: `orderValue:${desc}:${nulls ?? ''}`, part }, source);
  }

  #orderTerm(term: OrderTerm) {
    if (typeof term !== 'object' || term === null || !Object.keys(term).every((key) => ORDER_KEYS.has(key)))
      throw this.#refused(term, ORDER_TERM);
    const { column, desc = false, nulls } = term;
    if (typeof column !== 'string' || typeof desc !== 'boolean') throw this.#refused(term, ORDER_TERM);
    return orderStep(orderTarget(this.shape, column), desc, nulls);
  }

  #select(item: Selectable<Model>): Query<Model, unknown, never> {
    if (item instanceof ValueSelection) {
      const { alias, source } = item;
      return this.#valued({ key: `selectValue:${alias}`, part: { t: 'selectValue', alias, values: 0 } }, source);
    }
    if (item instanceof Selection) return this.#step(item.part());
    if (item instanceof Column || typeof item === 'string')
      return this.#step(selectStep(item instanceof Column ? item.target : plainTarget(this.shape.model.column(item))));
    if (typeof item !== 'object' || item === null || !(Expr in item)) throw this.#notSelectable(item);
    const { [Expr]: expr, alias } = item;
    rawText(expr);
    if (alias !== undefined) aliasOf(alias);
    const part: Part = { t: 'selectRaw', sql: expr, alias, values: 0 };
    return this.#step({ key: `selectRaw:${alias ?? ''}:${expr}`, part });
  }

  #join(
    kind: JoinKind,
    joined: Joinable,
    alias: string | Condition,
    on: Condition | undefined,
  ): Query<Model, Result, Found, Wrong> {
    if (joined instanceof Derived) return this.#joinSource(kind, joined, kind === 'cross' ? undefined : (alias as Condition)); // prettier-ignore
    this.#assertOn(kind, on);
    const model = typeof joined === 'function' ? modelInfoOf(joined) : undefined;
    const table = model?.table ?? identifier(joined as string);
    // Under its own name a table needs no alias, so that there may be a schema in it.
    if (alias !== table) aliasOf(alias as string);
    const part: Part = { t: 'join', kind, table, alias: alias as string, model, values: 0 };
    // Two models may have one name and one table.
    const joinedBy = model === undefined ? '' : serialOf(model);
    const shape = this.shape.then(`join:${kind}:${joinedBy}:${table}:${alias as string}`, part);
    if (on === undefined) return new Query<Model, Result, Found, Wrong>(this.session, shape, this, [], this.preloads);
    return this.#expression(shape, expressionOf(on, this.shape.model));
  }

  #joinSource(
    kind: JoinKind,
    source: Derived<unknown, string>,
    on: Condition | undefined,
  ): Query<Model, Result, Found, Wrong> {
    this.#assertOn(kind, on);
    const { name, model, part: rows, values, key } = source;
    const part: Part = { t: 'join', kind, table: name, alias: name, model, source: rows, values: values.length };
    return this.#written(this.shape.then(`joinSource:${kind}:${key}`, part), (sink) => {
      for (const value of values) sink.value(value);
      if (on !== undefined) expressionOf(on, this.shape.model).appendTo(sink);
    });
  }

  #assertOn(kind: JoinKind, on: Condition | undefined): void {
    if (on === undefined && kind !== 'cross')
      throw this.#refused(on, `a condition of the ${kind} join (crossJoin takes none)`);
  }

  // The error for data that only look like a select expression of the SPEC.
  #notSelectable(item: unknown) {
    if (typeof item === 'object' && item !== null && 'expr' in item)
      return fwError(ORM_ERRORS.FW_ORM_RAW_SHAPE, { given: 'An item with expr', call: "selectExpr('...', 'alias')" });
    return this.#refused(item, 'something to select (a column, an aggregate, a selectExpr)');
  }

  #refused(got: unknown, expected: string) {
    return fwError(ORM_ERRORS.FW_ORM_EXPRESSION, { model: this.shape.model.name, got: typeInWords(got), expected });
  }
}

type Joinable = string | ModelClass | Derived<unknown, string>;

const ORDER_TERM = 'an order term ({ column, desc: true or false, nulls }, or user.email.asc())';
// An unknown key, such as `dir`, would be ignored silently and change the order.
const ORDER_KEYS: ReadonlySet<string> = new Set<keyof OrderTerm>(['column', 'desc', 'nulls']);

const LIMIT = keyedByItself({ t: 'limit', values: 1 });
const OFFSET = keyedByItself({ t: 'offset', values: 1 });
const DISTINCT = keyedByItself({ t: 'distinct', values: 0 });
const DISTINCT_ON_VALUE = keyedByItself({ t: 'distinctOnValue', values: 0 });
const GROUP_VALUE = keyedByItself({ t: 'groupValue', values: 0 });
const HAVING = keyedByItself({ t: 'having', values: 0 });

/**
 * Starts a query on a model.
 *
 * @param session - a database, or the transaction that the query is to join
 * @throws FwError `FW_ORM_MODEL`, `FW_ORM_TAG` when the class is no valid model
 * @example await model(db, User).where(user.email.eq('a@b')).first()
 */
export function model<Model extends object>(
  session: Session,
  target: ModelClass<Model>,
): Query<Model, WholeRow<Model>, Model | CalledBy<Model>, never> {
  const info = modelInfoOf(target);
  return new Query(session, session.database.planner.forest.root(info as never), undefined, undefined);
}
