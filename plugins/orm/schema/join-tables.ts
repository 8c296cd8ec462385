import { fwError } from '../../../kernel/index.js';
import {
  assertEnds,
  joinDefinition,
  joinEnds,
  ModelInfo,
  ORM_ERRORS,
  throughRelations,
  type JoinEnd,
  type ModelDefinition,
  type ThroughRelation,
} from '../core/index.js';
import type { ActualTable } from './introspect.js';

/** Models, with those of join tables that only relations declare. */
interface WithJoinTables {
  readonly models: readonly ModelInfo[];
  /** Join tables with more than both keys; no model declares the rest, so they stay unchanged. */
  readonly aside: readonly ActualTable[];
}

type Ends = readonly [JoinEnd, JoinEnd];

/**
 * Models with the join tables of their relations. A model of the project is the definition of its table; of a join table that is
 * there already, the order of its key, its indexes and what its foreign keys do stay as they are.
 *
 * @throws FwError `FW_ORM_MODEL` when a model of the project lacks a key, or two relations mean different columns of one table
 */
export function withJoinTables(models: readonly ModelInfo[], actual: readonly ActualTable[] = []): WithJoinTables {
  const present = new Map(actual.map((table) => [table.name, table]));
  const joins = [...joinsAmong(models)].map(([table, relation]) => {
    return { table, ends: joinEnds(relation), actual: present.get(table) };
  });
  const own = joins.filter(({ ends, actual: table }) => table === undefined || isPure(table, ends));
  return {
    models: [...models, ...own.map(({ table, ends, actual: found }) => joinTable(table, ends, found))],
    aside: joins.filter((join) => !own.includes(join)).flatMap(({ actual: table }) => table ?? []),
  };
}

/** Relations whose join tables have no model in the project, by table. */
function joinsAmong(models: readonly ModelInfo[]): ReadonlyMap<string, ThroughRelation> {
  const declared = new Map(models.map((model) => [model.table, model]));
  const joins = new Map<string, ThroughRelation>();
  for (const model of models)
    for (const relation of throughRelations(model)) {
      const { table } = relation.through;
      const own = declared.get(table);
      if (own) assertEnds(own, relation);
      else if (declared.has(relation.target.table)) {
        const other = joins.get(table) ?? relation;
        if (textOf(other) !== textOf(relation)) throw disagreement(model, relation, other);
        joins.set(table, other);
      }
    }
  return joins;
}

const textOf = (relation: ThroughRelation): string =>
  joinEnds(relation)
    .map(({ column, key }) => `${column} for ${key.model.table}`)
    .sort()
    .join(', ');

function disagreement(model: ModelInfo, relation: ThroughRelation, other: ThroughRelation) {
  const problem = `its relation ${relation.property} expects of the join table ${relation.through.table} ${textOf(relation)}, where another relation expects ${textOf(other)}; name the same columns with joinFk and joinRefFk`;
  return fwError(ORM_ERRORS.FW_ORM_MODEL, { model: model.name, problem });
}

function isPure({ columns }: ActualTable, ends: Ends): boolean {
  return columns.length === 2 && ends.every((end) => columns.some(({ name }) => name === end.column));
}

function joinTable(table: string, ends: Ends, actual: ActualTable | undefined): ModelInfo {
  const [first, second] = ends;
  if (actual === undefined) return new ModelInfo(class {}, joinDefinition(table, ends));
  const isTurned = actual.primaryKey[0] === second.column;
  return new ModelInfo(class {}, asItIs(joinDefinition(table, isTurned ? [second, first] : [first, second]), actual));
}

/** The definition of a join table, with the details of the existing table. */
function asItIs({ columns, relations = [], ...rest }: ModelDefinition, actual: ActualTable): ModelDefinition {
  const indexes = actual.indexes.filter(({ plain }) => plain);
  // A unique index over both columns serves as a key.
  const hasKey = actual.primaryKey.length > 0 || !indexes.some((index) => index.unique && index.columns.length === 2);
  return {
    ...rest,
    columns: columns.map(({ index: _index, ...column }) => ({ ...column, primaryKey: hasKey })),
    indexes: indexes.map(({ name, unique, columns: covered }) => ({ name, unique, columns: covered })),
    relations: relations.map((relation) => {
      const { onDelete: _onDelete, ...pointer } = relation;
      const isThere = actual.foreignKeys.some((key) => key.columns.join() === relation.fk);
      return isThere ? pointer : relation;
    }),
  };
}
