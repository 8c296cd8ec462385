import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { ColumnComparison, Comparison, Membership } from '../expression/comparisons.js';
import { Junction } from '../expression/conditions.js';
import type { Condition } from '../expression/expression.js';
import type { ModelClass } from '../model/model-definition.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { modelOfTable } from '../model/model-databases.js';
import { relationOf, type ResolvedRelation } from '../model/relations.js';
import { comparisonStep, plainTarget } from '../plan/steps.js';
import type { ColumnTarget } from '../plan/parts.js';
import type { CallOptions, Session } from '../session/session.js';
import { compositeKey, foldOf, FOLDED, portionsOf, scalarKey } from './keys.js';
import type { PreloadNode, PreloadOptions, PreloadTree } from './preload-options.js';

type AnyRow = Record<string, unknown>;
/** Where a preload begins its queries: the query that asked for it. */
export interface RelatedQueries {
  readonly session: Session;
  /** A query on another model. */
  relatedIn(session: Session, target: ModelClass): RelatedQuery;
}

/** A query on a related model, as far as a preload makes it. */
interface RelatedQuery {
  where(condition: Condition): RelatedQuery;
  orderBy(...terms: NonNullable<PreloadOptions['order']>): RelatedQuery;
  innerJoin(table: string | ModelClass, alias: string, on: Condition): RelatedQuery;
  perGroup(by: readonly ColumnTarget[], count: number): RelatedQuery;
  withKey(target: ColumnTarget): RelatedQuery;
  find(options: CallOptions | undefined): Promise<readonly unknown[]>;
  findWithKeys(key: ColumnInfo, options: CallOptions | undefined): Promise<readonly RowWithKey[]>;
}

/** A row, and the key that was read with it. */
export interface RowWithKey {
  readonly row: object;
  readonly key: unknown;
}

/** Loads the relations of a tree into rows: one query per relation and level, whatever the number of rows. */
export async function loadRelations(
  from: RelatedQueries,
  info: ModelInfo,
  rows: readonly object[],
  tree: PreloadTree,
  call: CallOptions | undefined,
): Promise<void> {
  for (const [property, node] of tree)
    await loadRelation(from, info, rows as readonly AnyRow[], { property, node, call });
}

interface Wanted {
  readonly property: string;
  readonly node: PreloadNode;
  readonly call: CallOptions | undefined;
}

async function loadRelation(
  from: RelatedQueries,
  info: ModelInfo,
  rows: readonly AnyRow[],
  wanted: Wanted,
): Promise<void> {
  const { property, node, call } = wanted;
  const relation = relationOf(info, property);
  const parents = new Parents(info, rows, relation);
  const related: AnyRow[][] = [];
  for (const round of parents.rounds())
    for (const keys of chunks(round, relation, from.session)) {
      const query = queryOf(from, relation, keys, node);
      related.push(await (relation.through ? throughTable(query, parents, call) : ownRows(query, parents, call)));
    }
  parents.settle();
  if (node.children.size > 0) await loadRelations(from, relation.target, related.flat(), node.children, call);
}

async function throughTable(query: RelatedQuery, parents: Parents, call: CallOptions | undefined): Promise<AnyRow[]> {
  const found = await query.findWithKeys(parents.relation.local[0] as ColumnInfo, call);
  for (const { row, key } of found) parents.give(scalarKey(key), row as AnyRow);
  return found.map(({ row }) => row as AnyRow);
}

async function ownRows(query: RelatedQuery, parents: Parents, call: CallOptions | undefined): Promise<AnyRow[]> {
  const found = (await query.find(call)) as AnyRow[];
  const keyOf = keyReader(parents.relation.remote);
  for (const row of found) parents.give(keyOf(row), row);
  return found;
}

/** Families whose rows are asked for together, by their keys, and by what equal texts have in common. */
interface Round {
  readonly byKey: ReadonlyMap<unknown, Family>;
  readonly byFold: ReadonlyMap<unknown, Family> | undefined;
}

/** Those that refer to the same rows. */
interface Family {
  readonly values: readonly unknown[];
  readonly related: AnyRow[];
  /** Whether a row has the list already; others get one of their own. */
  isTaken: boolean;
}

/** Rows that wait for related ones, by the key that those carry. */
class Parents {
  readonly #byKey = new Map<unknown, Family>();
  readonly #keyOf: (row: AnyRow) => unknown;
  /** Those that the rows of the present round belong to. */
  #round: Round = { byKey: this.#byKey, byFold: undefined };
  /** Parents of the last row, because rows of one parent mostly follow each other. */
  #lastKey: unknown;
  #last: Family | undefined;

  constructor(
    info: ModelInfo,
    private readonly rows: readonly AnyRow[],
    readonly relation: ResolvedRelation,
  ) {
    this.#keyOf = keyReader(relation.local);
    for (const row of rows) {
      const values = this.#valuesOf(info, row);
      const key = this.#keyOf(row);
      if (key === null || this.#byKey.has(key)) continue;
      this.#byKey.set(key, { values, related: [], isTaken: false });
    }
  }

  /**
   * Values to ask for, in rounds: to a database texts may be equal that have other letters (`de` and `DE`), and a row is found by one
   * that it does not hold. No two of a round could be equal, so that a row belongs to the only one that is like its own.
   */
  *rounds(): Generator<readonly (readonly unknown[])[]> {
    const { local, remote } = this.relation;
    if (![...local, ...remote].some(({ kind }) => FOLDED.has(kind))) {
      yield [...this.#byKey.values()].map(({ values }) => values);
      return;
    }
    const rounds: { byKey: Map<unknown, Family>; byFold: Map<unknown, Family> }[] = [];
    const alike = new Map<unknown, number>();
    for (const [key, family] of this.#byKey) {
      const fold = foldOf(key);
      const before = alike.get(fold) ?? 0;
      alike.set(fold, before + 1);
      const round = (rounds[before] ??= { byKey: new Map(), byFold: new Map() });
      round.byKey.set(key, family);
      round.byFold.set(fold, family);
    }
    for (const round of rounds) {
      this.#round = round;
      this.#lastKey = undefined;
      yield [...round.byKey.values()].map(({ values }) => values);
    }
  }

  give(key: unknown, row: AnyRow): void {
    if (key !== this.#lastKey) {
      this.#lastKey = key;
      const { byKey, byFold } = this.#round;
      this.#last = byKey.get(key) ?? byFold?.get(foldOf(key));
    }
    this.#last?.related.push(row);
  }

  /** Every row gets its property, so that an absent one means "not loaded". */
  settle(): void {
    const { property, toMany } = this.relation;
    for (const row of this.rows) {
      const family = this.#byKey.get(this.#keyOf(row));
      row[property] = toMany ? listOf(family) : (family?.related[0] ?? null);
    }
  }

  #valuesOf(info: ModelInfo, row: AnyRow): readonly unknown[] {
    return this.relation.local.map(({ property, name }) => {
      if (row[property] !== undefined) return row[property];
      const problem = `preload of ${this.relation.property} needs the column "${name}"; select it too`;
      throw fwError(ORM_ERRORS.FW_ORM_QUERY_FORM, { model: info.name, problem });
    });
  }
}

function listOf(family: Family | undefined): AnyRow[] {
  if (family === undefined) return [];
  if (family.isTaken) return [...family.related];
  family.isTaken = true;
  return family.related;
}

/** Reads the key that rows are matched by; null if a part of it is. Made once for all rows, because nearly every key is one column. */
function keyReader(columns: readonly ColumnInfo[]): (row: AnyRow) => unknown {
  const properties = columns.map(({ property }) => property);
  const [only] = properties;
  if (properties.length === 1 && only !== undefined) return (row) => scalarKey(row[only]);
  return (row) => {
    const values = properties.map((property) => row[property]);
    return values.includes(null) ? null : compositeKey(values);
  };
}

const ROOM_FOR_WHERE = 100;

function chunks<Key>(
  keys: readonly Key[],
  { local }: ResolvedRelation,
  { database }: Session,
): readonly (readonly Key[])[] {
  const { arrayParameters, maxParameters } = database.dialect.capabilities;
  const most =
    arrayParameters && local.length === 1 ? keys.length : Math.floor((maxParameters - ROOM_FOR_WHERE) / local.length);
  return portionsOf(keys, most);
}

function queryOf(
  from: RelatedQueries,
  relation: ResolvedRelation,
  keys: readonly (readonly unknown[])[],
  { options }: PreloadNode,
): RelatedQuery {
  const { target, through, remote } = relation;
  const start = from.relatedIn(from.session, target.target);
  const joined = through ? joinThrough(start, relation) : start;
  const holders: readonly ColumnTarget[] = through
    ? [{ name: through.fk, qualifier: JOIN_ALIAS, info: relation.local[0] }]
    : remote.map(plainTarget);
  const matching = joined.where(keyCondition(holders, keys));
  const filtered = (options.where ?? []).reduce<RelatedQuery>((query, condition) => query.where(condition), matching);
  const ordered = filtered.orderBy(...(options.order ?? []));
  return options.limit === undefined ? ordered : ordered.perGroup(holders, options.limit);
}

const JOIN_ALIAS = 'fw_join';

function joinThrough(query: RelatedQuery, { through, remote, local }: ResolvedRelation): RelatedQuery {
  const { table, fk, refFk } = through as NonNullable<typeof through>;
  const key = { name: fk, qualifier: JOIN_ALIAS, info: local[0] };
  // As a model where there is one, so that plugins which hide rows hide links too.
  const link = modelOfTable(table, (local[0] as ColumnInfo).model)?.target ?? table;
  const on = new ColumnComparison({ name: refFk, qualifier: JOIN_ALIAS }, 'eq', plainTarget(remote[0] as ColumnInfo));
  return query.innerJoin(link, JOIN_ALIAS, on).withKey(key);
}

function keyCondition(holders: readonly ColumnTarget[], keys: readonly (readonly unknown[])[]) {
  const [only] = holders;
  if (holders.length === 1 && only)
    return new Membership(
      only,
      keys.map(([value]) => value),
      false,
    );
  const tuples = keys.map(
    (values) =>
      new Junction(
        'and',
        holders.map((holder, at) => new Comparison(comparisonStep(holder, 'eq'), values[at])),
      ),
  );
  return new Junction('or', tuples);
}
