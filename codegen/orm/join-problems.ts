import { singular } from '../../plugins/orm/core/index.js';
import type { SourceProblem } from '../engine/source-problem.js';
import { databasesOf, type ModelsByTable } from './model-databases.js';
import type { ColumnSource, ModelSource, RelationSource } from './model-source.js';
import { problemAtPlace } from './place.js';

/** One end of a join table; the referenced key is unknown for a model of a package. */
interface End {
  readonly column: string;
  readonly option: 'joinFk' | 'joinRefFk';
  /** Name of the referenced model. */
  readonly model: string;
  readonly key: ColumnSource | undefined;
}

interface Join {
  readonly model: ModelSource;
  readonly relation: RelationSource;
  readonly table: string;
  readonly ends: readonly [End, End];
}

/**
 * Mistakes in relations through join tables: composite keys, one column for both ends, a model of the join table with other columns, and
 * relations that use different columns of one table.
 */
export function* joinProblems(
  models: readonly ModelSource[],
  byId: ReadonlyMap<string, ModelSource>,
  byTable: ModelsByTable,
): Iterable<SourceProblem> {
  const joins = new Map<string, Map<string, Join>>();
  for (const model of models)
    for (const relation of model.relations) {
      if (relation.kind !== 'manyToMany') continue;
      const own = `${model.name}.${relation.property} (@manyToMany)`;
      const join = joinOf(model, relation, byId);
      const problem = typeof join === 'string' ? join : problemOf(join, byTable, joins);
      if (problem !== undefined) yield problemAtPlace(relation.place, `${own} ${problem}`);
    }
}

/** Returns a text with the reason if there is none. */
function joinOf(model: ModelSource, relation: RelationSource, byId: ReadonlyMap<string, ModelSource>): Join | string {
  const { join: table, joinFk, joinRefFk } = relation.options;
  if (typeof table !== 'string') return "names no join table; write { join: 'post_tags' }";
  const target = byId.get(`${relation.targetFile}:${relation.target}`);
  const several = [model, ...(target ? [target] : [])].find((each) => keysOf(each).length !== 1);
  if (several) {
    const keys = keysOf(several).length;
    return `goes through a join table, and needs one primary key column in ${several.name}, which has ${keys === 0 ? 'none' : keys}; write a model of ${table} with a belongsTo to each`;
  }
  const [key, otherKey] = [keysOf(model)[0], target && keysOf(target)[0]];
  const refFk = textOr(joinRefFk, `${singular(target?.table ?? relation.target)}_id`);
  return {
    model,
    relation,
    table,
    ends: [
      { column: textOr(joinFk, `${singular(model.table)}_id`), option: 'joinFk', model: model.name, key },
      { column: refFk, option: 'joinRefFk', model: relation.target, key: otherKey },
    ],
  };
}

function problemOf(join: Join, byTable: ModelsByTable, joins: Map<string, Map<string, Join>>): string | undefined {
  const [own, other] = join.ends;
  if (own.column === other.column)
    return `would have the column "${own.column}" of ${join.table} for both ends; name them with joinFk and joinRefFk`;
  // The join table in each database of the model.
  const places = databasesOf(join.model);
  const [declared, ...others] = [...new Set(places.map((name) => byTable.get(name, join.table)))];
  if (others.length > 0)
    return `goes through ${join.table}, which is not the table of one model in ${places.join(' and ')}; declare one model of it for all of them`;
  if (declared) return join.ends.map((end) => mismatch(end, declared)).find((problem) => problem !== undefined);
  const inPlaces = places.map((name) => knownJoin(joins, name, join));
  const known = inPlaces.find((each) => meaning(each) !== meaning(join));
  if (known === undefined) return undefined;
  return `expects of the join table ${join.table} ${meaning(join)}, where ${known.model.name}.${known.relation.property} expects ${meaning(known)}; name the same columns with joinFk and joinRefFk`;
}

// The first relation through a join table defines it, for each database.
function knownJoin(joins: Map<string, Map<string, Join>>, database: string, join: Join): Join {
  const there = joins.get(database) ?? new Map<string, Join>();
  joins.set(database, there);
  const known = there.get(join.table) ?? join;
  there.set(join.table, known);
  return known;
}

// The definition of the join table's own model wins.
function mismatch({ column, option, model, key }: End, declared: ModelSource): string | undefined {
  const found = declared.columns.find(({ tag }) => tag.column === column);
  if (found === undefined) {
    const known = declared.columns.map(({ tag }) => tag.column).join(', ');
    return `looks for the column "${column}" in ${declared.name}, the model of its join table, which has only ${known}; add it there, or name another with ${option}`;
  }
  if (key === undefined || sameKind(found.kind, key.kind)) return undefined;
  return `goes through ${declared.name}.${found.property}, which is ${found.kind}, to ${model}.${key.property}, which is ${key.kind}; declare both alike`;
}

const WHOLE = new Set(['int', 'bigint']);

function sameKind(one: ColumnSource['kind'], other: ColumnSource['kind']): boolean {
  return one === other || one === 'any' || other === 'any' || (WHOLE.has(one) && WHOLE.has(other));
}

const meaning = ({ ends }: Join): string =>
  ends
    .map(({ column, model }) => `${column} for ${model}`)
    .sort()
    .join(' and ');

function keysOf({ columns }: ModelSource): readonly ColumnSource[] {
  const marked = columns.filter(({ tag }) => tag.primaryKey);
  return marked.length > 0 ? marked : columns.filter(({ tag }) => tag.column === 'id');
}

const textOr = (option: RelationSource['options'][string] | undefined, usual: string): string =>
  typeof option === 'string' ? option : usual;
