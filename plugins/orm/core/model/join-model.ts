import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnDefinition, ModelDefinition, RelationDefinition } from './model-definition.js';
import type { ColumnInfo, ModelInfo } from './model-info.js';
import { modelOfTable } from './model-databases.js';
import { keepModel } from './model-registry.js';
import { relationOf, type ResolvedRelation, type Through } from './relations.js';

/** One end of a join table: its column, and the key of the model that it points at. */
export interface JoinEnd {
  readonly column: string;
  readonly key: ColumnInfo;
}

/** A relation that goes through a join table. */
export type ThroughRelation = ResolvedRelation & { readonly through: Through };

/** The relations of a model that go through join tables. */
export function throughRelations(model: ModelInfo): readonly ThroughRelation[] {
  return [...model.relations.values()]
    .filter(({ kind }) => kind === 'manyToMany')
    .map(({ property }) => relationOf(model, property) as ThroughRelation);
}

/** Both ends of a join table: first the one that points at the model of the relation, then that at its target. */
export function joinEnds({ through, local, remote }: ThroughRelation): readonly [own: JoinEnd, other: JoinEnd] {
  return [
    { column: through.fk, key: local[0] as ColumnInfo },
    { column: through.refFk, key: remote[0] as ColumnInfo },
  ];
}

const made = new WeakMap<ModelInfo, Map<string, ModelInfo>>();

/**
 * The model of a join table: the project's own where it has one, else one of nothing but both keys.
 *
 * @throws FwError `FW_ORM_MODEL` when the project's own has no column for one of them
 */
export function joinModelOf(relation: ThroughRelation): ModelInfo {
  const { through } = relation;
  const [own, other] = joinEnds(relation);
  const { model } = own.key;
  const declared = modelOfTable(through.table, model);
  if (declared) return assertEnds(declared, relation);
  const known = made.get(model) ?? new Map<string, ModelInfo>();
  made.set(model, known);
  const id = [through.table, own.column, other.column].join();
  const found = known.get(id) ?? keepModel(class {}, joinDefinition(through.table, [own, other]));
  known.set(id, found);
  return found;
}

/** @throws FwError `FW_ORM_MODEL` when a model of the project has no column for one of the ends */
export function assertEnds(declared: ModelInfo, relation: ThroughRelation): ModelInfo {
  for (const { column, key } of joinEnds(relation)) {
    if (declared.find(column)?.name === column) continue;
    const problem = `it is the join table of ${relation.property} and has no column "${column}" for ${key.model.name}; its columns are ${declared.columns.map(({ name }) => name).join(', ')}`;
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: declared.name, problem });
  }
  return declared;
}

/** A join table as a model: both keys are its primary key, and a row goes with what it points at. */
export function joinDefinition(table: string, ends: readonly [JoinEnd, JoinEnd]): ModelDefinition {
  const [, second] = ends;
  return {
    name: table,
    table,
    // The primary key serves those who begin at its first column; the index is for the others, and for the foreign key.
    columns: ends.map((end) => ({ ...keyColumn(end), ...(end === second && { index: true }) })),
    relations: ends.map(pointer),
  };
}

function keyColumn({ column, key }: JoinEnd): ColumnDefinition {
  const { kind: declared, size, precision, scale, sqlType, values } = key.definition;
  // Without generated code the kind of a counted key is unknown, but it is an integer.
  const kind = declared === 'any' && key.autoincrement ? 'int' : declared;
  const said = Object.entries({ size, precision, scale, sqlType, values }).filter(([, value]) => value !== undefined);
  return { property: column, column, kind, primaryKey: true, enumAs: 'none', ...Object.fromEntries(said) };
}

function pointer({ column, key }: JoinEnd): RelationDefinition {
  const target = () => key.model.target;
  return {
    property: `${column}_row`,
    kind: 'belongsTo',
    target,
    fk: column,
    references: key.name,
    onDelete: 'cascade',
  };
}
