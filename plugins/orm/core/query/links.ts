import { fwError } from '../../../../kernel/index.js';
import { typeInWords } from '../model/kinds.js';
import { temporalName } from '../model/temporal.js';
import { ORM_ERRORS } from '../errors.js';
import { equals, Membership } from '../expression/comparisons.js';
import { joinModelOf, type ThroughRelation } from '../model/join-model.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { relationOf } from '../model/relations.js';
import { plainTarget } from '../plan/steps.js';
import { compositeKey, foldOf, portionsOf, scalarKey } from '../preload/keys.js';
import type { CallOptions } from '../session/session.js';
import { runForCall, type Transaction } from '../session/transaction.js';
import { createBatchRows } from './create-batch.js';
import type { Query } from './query.js';

type AnyQuery = Query<object, unknown>;
type AnyRow = Readonly<Record<string, unknown>>;

/** What `sync` did. */
export interface LinkChanges {
  /** Links that were made. */
  readonly attached: number;
  /** Links that were removed. */
  readonly detached: number;
}

/** Arguments of a call: the rows, the relation, and the rows to link. */
interface LinkRequest {
  readonly operation: 'attach' | 'detach' | 'sync';
  readonly rows: unknown;
  readonly relation: string;
  readonly related: unknown;
  readonly call: CallOptions | undefined;
}

/** Links rows to others. Links that are there stay. @returns how many were made */
export function attachLinks(query: AnyQuery, request: LinkRequest): Promise<number> {
  return withLinks(query, request, async (links) => {
    const related = links.related(request.related);
    return links.attach(await links.missing(related));
  });
}

/** Removes links to some rows, or to all. @returns how many were removed */
export function detachLinks(query: AnyQuery, request: LinkRequest): Promise<number> {
  return withLinks(query, request, async (links) => {
    const isAll = request.related === 'all';
    return links.detach(await links.present(isAll ? undefined : links.related(request.related)));
  });
}

/** Links rows to exactly some others. */
export function syncLinks(query: AnyQuery, request: LinkRequest): Promise<LinkChanges> {
  return withLinks(query, request, async (links) => {
    const wanted = links.related(request.related);
    const present = await links.present(undefined);
    const kept = await links.among(present, wanted);
    const held = new Set(kept.map(heldText));
    const detached = await links.detach(present.filter((link) => !held.has(heldText(link))));
    return { attached: await links.attach(links.withoutThose(wanted, kept)), detached };
  });
}

/** One row of a join table, by both of its keys: as the call gives them where it does, whatever the database takes for equal to them. */
interface Link {
  readonly own: unknown;
  readonly other: unknown;
  /** The key of the row at the other end as the join table holds it, where the link is there. */
  readonly held?: unknown;
}

/** Values of keys by what makes them equal. */
type Keys = ReadonlyMap<unknown, unknown>;

// The rows are locked before their links are read, so that two calls about the same rows run one after the other.
function withLinks<Result>(
  query: AnyQuery,
  request: LinkRequest,
  work: (links: Links) => Promise<Result>,
): Promise<Result> {
  const { session, shape } = query;
  const relation = throughRelation(shape.model, request);
  const { local } = relation;
  const rows = Array.isArray(request.rows) ? request.rows : [request.rows];
  const own = keysOf(rows, local[0] as ColumnInfo, request);
  return runForCall(session, request.call, null, async (tx) => {
    const links = new Links(tx, query, relation, request, own);
    await links.lock();
    return work(links);
  });
}

function throughRelation(model: ModelInfo, { operation, relation: property }: LinkRequest): ThroughRelation {
  const relation = relationOf(model, property);
  if (relation.through) return relation as ThroughRelation;
  const problem = `${operation} takes a relation through a join table, and ${property} is ${model.relations.get(property)?.kind}`;
  throw fwError(ORM_ERRORS.FW_ORM_QUERY_FORM, { model: model.name, problem });
}

/** The links of some rows, in one transaction. */
class Links {
  readonly #join: ModelInfo;
  readonly #own: ColumnInfo;
  readonly #other: ColumnInfo;
  /** The keys of rows as they hold them, by those that the call gives. */
  readonly #real = new Map<unknown, unknown>();
  /** How many keys one statement takes, which may name those of both ends. */
  readonly #most: number;

  constructor(
    private readonly tx: Transaction,
    private readonly from: AnyQuery,
    private readonly relation: ThroughRelation,
    private readonly request: LinkRequest,
    private readonly owners: Keys,
  ) {
    this.#join = joinModelOf(relation);
    this.#own = this.#join.column(relation.through.fk);
    this.#other = this.#join.column(relation.through.refFk);
    this.#most = Math.max(1, Math.floor((tx.database.dialect.capabilities.maxParameters - ROOM_FOR_PLUGINS) / 2));
  }

  /** @throws FwError `FW_ORM_ROW_GONE` when one of the rows is not there */
  async lock(): Promise<void> {
    const { model } = this.from.shape;
    const [gone] = await this.#absent(this.relation.local[0] as ColumnInfo, this.owners, true);
    const { operation } = this.request;
    if (gone !== undefined)
      throw fwError(ORM_ERRORS.FW_ORM_ROW_GONE, { operation, model: model.name, key: String(gone) });
  }

  /** Keys of the rows at the other end, as the call gives them. */
  related(given: unknown): Keys {
    const { target, remote } = this.relation;
    const { operation } = this.request;
    if (Array.isArray(given)) return keysOf(given, remote[0] as ColumnInfo, this.request);
    const expected = `a list of rows of ${target.name} or their keys${operation === 'detach' ? ", or 'all'" : ''}`;
    throw fwError(ORM_ERRORS.FW_ORM_EXPRESSION, {
      model: this.from.shape.model.name,
      got: typeInWords(given),
      expected,
    });
  }

  /** Links that are there: to some rows, or to any. */
  async present(related: Keys | undefined): Promise<readonly Link[]> {
    const found: Link[] = [];
    for (const own of portionsApart(this.owners, this.#most))
      for (const other of related ? portionsApart(related, this.#most) : [undefined]) {
        const rows = (await this.#between(own.values, other?.values).find(this.request.call)) as AnyRow[];
        for (const row of rows) {
          const held = row[this.#other.property];
          found.push({ own: own.given(row[this.#own.property]), other: other ? other.given(held) : held, held });
        }
      }
    return found;
  }

  /** Those of all links of the rows that lead to some others. */
  async among(present: readonly Link[], related: Keys): Promise<readonly Link[]> {
    const folds = new Set([...related.keys()].map(foldOf));
    const isOpen = present.some(({ other }) => !related.has(keyText(other)) && folds.has(foldOf(keyText(other))));
    // Whether texts that differ in case are one key, the database says.
    return isOpen ? this.present(related) : present.filter(({ other }) => related.has(keyText(other)));
  }

  /** Links to some rows that are not there yet. */
  async missing(related: Keys): Promise<readonly Link[]> {
    return this.withoutThose(related, await this.present(related));
  }

  withoutThose(related: Keys, present: readonly Link[]): readonly Link[] {
    const there = new Set(present.map(linkText));
    const all = [...this.owners.values()].flatMap((own) => [...related.values()].map((other) => ({ own, other })));
    return all.filter((link) => !there.has(linkText(link)));
  }

  /** @throws FwError `FW_ORM_LINK_MISSING` when a row at the other end is not there */
  async attach(links: readonly Link[]): Promise<number> {
    if (links.length === 0) return 0;
    await this.#assertRelated(links);
    await this.#clear(links);
    const rows = links.map(({ own, other }) => ({
      [this.#own.property]: this.#realOf(this.relation.local[0], own),
      [this.#other.property]: this.#realOf(this.relation.remote[0], other),
    }));
    await createBatchRows(this.#query(), rows, this.request.call);
    return links.length;
  }

  async detach(links: readonly Link[]): Promise<number> {
    return this.#remove(links, (query) => query);
  }

  async #assertRelated(links: readonly Link[]): Promise<void> {
    const { target, remote } = this.relation;
    const related = new Map(links.map(({ other }) => [keyText(other), other]));
    const column = remote[0] as ColumnInfo;
    const absent = await this.#absent(column, related, false);
    const { operation, relation } = this.request;
    if (absent.length === 0) return this.#assertApart(column, related);
    const keys = absent.slice(0, SHOWN_KEYS).map(String).join(', ');
    const relationName = `${this.from.shape.model.name}.${relation}`;
    throw fwError(ORM_ERRORS.FW_ORM_LINK_MISSING, { operation, relation: relationName, model: target.name, keys });
  }

  // Two texts that the database takes for one key.
  #assertApart(column: ColumnInfo, related: Keys): void {
    const seen = new Set<unknown>();
    for (const value of related.values()) {
      const text = keyText(this.#realOf(column, value));
      if (seen.has(text)) throw twice(this.request, column, value);
      seen.add(text);
    }
  }

  #realOf(column: ColumnInfo | undefined, given: unknown): unknown {
    return this.#real.get(realKey(column, given)) ?? given;
  }

  // Removes soft-deleted links, which would conflict with new ones.
  async #clear(links: readonly Link[]): Promise<void> {
    if (this.tx.database.planner.rewrites) await this.#remove(links, (query) => query.withDeleted('force'));
  }

  async #remove(links: readonly Link[], as: (query: AnyQuery) => AnyQuery): Promise<number> {
    let removed = 0;
    for (const [own, others] of byOwner(links))
      for (const portion of portionsOf(others, this.#most))
        removed += await as(this.#between([own], portion)).delete(this.request.call);
    return removed;
  }

  #between(own: readonly unknown[], other: readonly unknown[] | undefined): AnyQuery {
    const query = this.#query().where(among(this.#own, own));
    return other ? query.where(among(this.#other, other)) : query;
  }

  #query(): AnyQuery {
    return this.from.relatedIn(this.tx, this.#join.target);
  }

  /** Keys of which no row is there. */
  async #absent(column: ColumnInfo, keys: Keys, isLocked: boolean): Promise<readonly unknown[]> {
    const there = new Set<unknown>();
    for (const portion of portionsApart(keys, this.#most)) {
      const all = this.from.relatedIn(this.tx, column.model.target).where(among(column, portion.values));
      // Always in the same order, so that two calls do not deadlock.
      const ordered = all.select(column.property as never).orderBy({ column: column.name });
      const rows = (await (isLocked ? ordered.lock('noKeyUpdate') : ordered).find(this.request.call)) as AnyRow[];
      for (const row of rows) {
        const given = portion.given(row[column.property]);
        this.#real.set(realKey(column, given), row[column.property]);
        there.add(keyText(given));
      }
    }
    return [...keys].filter(([text]) => !there.has(text)).map(([, value]) => value);
  }
}

const ROOM_FOR_PLUGINS = 100;
const SHOWN_KEYS = 10;

function among(column: ColumnInfo, values: readonly unknown[]) {
  return values.length === 1 ? equals(column, values[0]) : new Membership(plainTarget(column), values, false);
}

/** @throws FwError `FW_ORM_NO_PRIMARY_KEY` for a row without its key, `FW_ORM_VALUE`, `FW_ORM_LINK_TWICE` */
function keysOf(given: readonly unknown[], column: ColumnInfo, request: LinkRequest): Keys {
  const { operation } = request;
  const keys = new Map<unknown, unknown>();
  for (const each of given) {
    const value: unknown = isRow(each) ? each[column.property] : each;
    if (value === undefined || value === null)
      throw fwError(ORM_ERRORS.FW_ORM_NO_PRIMARY_KEY, { operation, model: column.model.name });
    const text = keyText(column.checked(value));
    if (keys.has(text)) throw twice(request, column, value);
    keys.set(text, value);
  }
  return keys;
}

const twice = ({ operation, relation }: LinkRequest, { model }: ColumnInfo, value: unknown): Error =>
  fwError(ORM_ERRORS.FW_ORM_LINK_TWICE, { operation, relation, model: model.name, key: String(value) });

/** Some keys, of which no two are alike to a collation, so that what is found by them is of the one that it is alike to. */
class Portion {
  readonly values: readonly unknown[];
  readonly #byText: Keys;
  readonly #byFold: Keys;

  constructor(keys: readonly (readonly [text: unknown, value: unknown])[]) {
    this.values = keys.map(([, value]) => value);
    this.#byText = new Map(keys);
    this.#byFold = new Map(keys.map(([text, value]) => [foldOf(text), value]));
  }

  /** The key as the call gives it. */
  given(held: unknown): unknown {
    const text = keyText(held);
    return this.#byText.get(text) ?? this.#byFold.get(foldOf(text)) ?? held;
  }
}

function portionsApart(keys: Keys, most: number): readonly Portion[] {
  const rounds: (readonly [unknown, unknown])[][] = [];
  const alike = new Map<unknown, number>();
  for (const each of keys) {
    const fold = foldOf(each[0]);
    const before = alike.get(fold) ?? 0;
    alike.set(fold, before + 1);
    (rounds[before] ??= []).push(each);
  }
  return rounds.flatMap((round) => portionsOf(round, most)).map((portion) => new Portion(portion));
}

const isRow = (given: unknown): given is AnyRow =>
  typeof given === 'object' &&
  given !== null &&
  !(given instanceof Date) &&
  !(given instanceof Uint8Array) &&
  temporalName(given) === undefined;

// A UUID is one in letters of either case.
function keyText(value: unknown): unknown {
  const key = scalarKey(value);
  return typeof key === 'string' && UUID.test(key) ? key.toLowerCase() : key;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

// Rows of two models may have the same key.
const realKey = (column: ColumnInfo | undefined, given: unknown): string =>
  compositeKey([column?.model.name, keyText(given)]);

const heldText = ({ own, held }: Link): string => linkText({ own, other: held });

const linkText = ({ own, other }: Link): string => compositeKey([keyText(own), keyText(other)]);

function byOwner(links: readonly Link[]): ReadonlyMap<unknown, readonly unknown[]> {
  const found = new Map<unknown, unknown[]>();
  for (const { own, other } of links) {
    const others = found.get(own);
    if (others) others.push(other);
    else found.set(own, [other]);
  }
  return found;
}
