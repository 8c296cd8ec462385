import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { Column } from '../expression/column.js';
import type { Expression } from '../expression/expression.js';
import type { Sound } from '../expression/reach.js';
import { tuple } from '../expression/tuple.js';
import type { ColumnInfo } from '../model/model-info.js';
import { scanRows, type Plan } from '../plan/plan.js';
import { readShape } from '../plan/read-shape.js';
import type { PlanKind } from '../plan/shape.js';
import { tablesOf } from '../plan/write-form.js';
import { compositeKey } from '../preload/keys.js';
import { chain, promised } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import type { CallOptions } from '../session/session.js';
import { runForCall } from '../session/transaction.js';
import { assignedBy, updateArguments, writeAll, type UpdateArgument } from './bulk-writes.js';
import type { Query } from './query.js';
import type { Assigning, Assignments, Selectable } from './query-types.js';
import { isKnownEmpty, planOf, run, WRITE } from './reads.js';

type AnyQuery = Query<object, unknown>;

/** An update or a delete that gives the rows that it wrote; made by `returning`. Immutable. */
export class Returning<Result, Wrong = never, Model extends object = object, Found = Model> {
  /** Exists only in types: sentences that say why no database would take the write. */
  declare readonly wrong: Wrong;

  constructor(
    private readonly query: AnyQuery,
    private readonly items: readonly Selectable<object>[],
  ) {}

  /**
   * Updates all matching rows. @returns the rows as they are behind it, in no order
   *
   * @throws FwError `FW_ORM_NOTHING_TO_SET`, `FW_ORM_READ_ONLY_COLUMN`, `FW_ORM_QUERY_FORM`; `FW_ORM_NO_PRIMARY_KEY`,
   *   `FW_ORM_UNSUPPORTED` where the database gives no rows by itself
   */
  updateAll<Given extends Assignments>(this: Assigning<Model, Found, Given>, ...assignments: Given): Promise<Result[]>;
  updateAll(...given: readonly UpdateArgument[]): Promise<Result[]> {
    return promised(() => {
      const { assignments, call } = updateArguments(given);
      const write = (query: AnyQuery) => assignedBy(query, assignments) as AnyQuery;
      return this.#run('updateReturning', write, call);
    }) as Promise<Result[]>;
  }

  /**
   * Deletes all matching rows. @returns the rows as they were; where a plugin marks them instead, as they are marked
   *
   * @throws FwError `FW_ORM_QUERY_FORM`; `FW_ORM_NO_PRIMARY_KEY` where the database gives no rows by itself
   */
  delete(this: Sound, call?: CallOptions): Promise<Result[]>;
  delete(call?: CallOptions): Promise<Result[]> {
    return promised(() => this.#run('deleteReturning', (query) => query, call)) as Promise<Result[]>;
  }

  #run(kind: ReturningKind, write: Write, call: CallOptions | undefined): MaybePromise<object[]> {
    const { session } = this.query;
    const query = selecting(write(this.query), this.items);
    return chain(planOf(query, kind), (plan): MaybePromise<object[]> => {
      if (isKnownEmpty(plan, call)) return [];
      const { writesReturning = false } = session.database.dialect.capabilities;
      if (writesReturning === false || (writesReturning === 'own' && plan.joined))
        return runForCall(session, call, null, (tx) => {
          const write_ = { query: write(this.query.on(tx)), items: this.items, kind, plan };
          return byKeys(write_, this.query.on(tx), call);
        });
      return chain(run(query, plan, call, WRITE), ({ rows = [] }) => scanRows(rows, plan.scan));
    });
  }
}

type ReturningKind = Extract<PlanKind, 'updateReturning' | 'deleteReturning'>;
type Write = (query: AnyQuery) => AnyQuery;

const selecting = (query: AnyQuery, items: readonly Selectable<object>[]): AnyQuery =>
  items.length === 0 ? query : (query.select(...items) as AnyQuery);

interface Emulated {
  /** The write, without what it is to return. */
  readonly query: AnyQuery;
  readonly items: readonly Selectable<object>[];
  readonly kind: ReturningKind;
  readonly plan: Plan;
}

// Rows per statement; locked rows stay the same until the transaction ends.
const KEYS_AT_ONCE = 500;

/** The same for databases that give no rows by themselves: the rows are locked, written and read by their keys. */
async function byKeys(
  { query, items, kind, plan }: Emulated,
  matching: AnyQuery,
  call: CallOptions | undefined,
): Promise<object[]> {
  const { model } = query.shape;
  const key = keyOf(query);
  const keys = key.map((column, at) => column.as(keyAlias(at)));
  // What a joined row holds is what it held before, also where it is a row of the same table.
  const { own, joined } = plan.joined ? byTable(query, items) : { own: items, joined: [] };
  const locked = (await matching
    .select(...keys, ...joined)
    .lock('update')
    .find(call)) as Keyed[];
  const rowsByKey = new Map(locked.map((row) => [keyText(row, key), row]));
  const unique = [...rowsByKey.values()];
  const read = async (condition: Expression): Promise<object[]> => {
    const rows = query
      .relatedIn(query.session, model.target)
      .where(condition)
      .withDeleted('with') as unknown as AnyQuery;
    if (!plan.joined) return (await selecting(rows, items).find(call)) as object[];
    const found = (await rows.select(...keys, ...own).find(call)) as Keyed[];
    return found.map((row) => merged(rowsByKey.get(keyText(row, key)) ?? {}, row, key));
  };
  const found: object[] = [];
  for (let at = 0; at < unique.length; at += KEYS_AT_ONCE) {
    const condition = isOneOf(key, unique.slice(at, at + KEYS_AT_ONCE));
    const isDeleted = kind === 'deleteReturning' && !plan.marks;
    if (isDeleted) found.push(...(await read(condition)));
    await writeAll(query.where(condition), kind === 'deleteReturning' ? 'delete' : 'update', call);
    if (!isDeleted) found.push(...(await read(condition)));
  }
  return found;
}

type Keyed = Readonly<Record<string, unknown>>;
type KeyColumn = Column<object, string, unknown>;

const keyAlias = (at: number): string => `fw_row${at}`;

const keyText = (row: Keyed, key: readonly KeyColumn[]): string => compositeKey(key.map((_, at) => row[keyAlias(at)]));

// What was read before and behind a write, without the keys. By descriptors, because copying skips hidden columns.
function merged(before: Keyed, behind: Keyed, key: readonly KeyColumn[]): object {
  const row = Object.defineProperties({}, Object.getOwnPropertyDescriptors(before));
  Object.defineProperties(row, Object.getOwnPropertyDescriptors(behind));
  key.forEach((_, at) => Reflect.deleteProperty(row, keyAlias(at)));
  return row;
}

/** What is returned of the written rows, and what of joined ones. */
function byTable(query: AnyQuery, items: readonly Selectable<object>[]) {
  const { model } = query.shape;
  const { dialect } = query.session.database.dialect.capabilities;
  const { projection } = readShape(selecting(query, items).shape, 'largest').select;
  const tables = projection.map((item) => tablesOf(item, model));
  if (tables.includes('both')) {
    const reason = 'it reads them one after the other; return the columns of both, and compute it of them';
    throw fwError(ORM_ERRORS.FW_ORM_UNSUPPORTED, { dialect, feature: 'a returned value of a written and a joined row', reason }); // prettier-ignore
  }
  const of = (table: 'own' | 'joined') => items.filter((_, at) => tables[at] === table);
  return { own: of('own'), joined: of('joined') };
}

function keyOf({ shape, session }: AnyQuery): readonly KeyColumn[] {
  const { model } = shape;
  const { dialect } = session.database.dialect.capabilities;
  if (model.primaryKey.length === 0)
    throw fwError(ORM_ERRORS.FW_ORM_NO_PRIMARY_KEY, { operation: 'returning', model: model.name });
  const changed = shape.parts().find((part) => 'column' in part && isKey(part.column as ColumnInfo | undefined, model));
  if (changed) {
    const reason = 'its rows are found again by their keys; update them, and read them in a query of their own';
    throw fwError(ORM_ERRORS.FW_ORM_UNSUPPORTED, { dialect, feature: 'returning of an update of keys', reason });
  }
  return model.primaryKey.map((info) => new Column(info));
}

const isKey = (column: ColumnInfo | undefined, model: { readonly primaryKey: readonly ColumnInfo[] }): boolean =>
  column !== undefined && model.primaryKey.includes(column);

function isOneOf(key: readonly KeyColumn[], rows: readonly Keyed[]): Expression {
  const [first, second, ...rest] = key;
  const valuesOf = (row: Keyed) => key.map((_, at) => row[keyAlias(at)]);
  if (first !== undefined && second === undefined) return first.in(rows.flatMap(valuesOf) as never);
  return tuple(first as KeyColumn, second as KeyColumn, ...rest).in(rows.map(valuesOf) as never);
}
