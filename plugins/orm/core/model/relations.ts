import { fwError } from '../../../../kernel/index.js';
import { declaredName } from './identifiers.js';
import { ORM_ERRORS } from '../errors.js';
import type { RelationDefinition } from './model-definition.js';
import type { ColumnInfo, ModelInfo } from './model-info.js';
import { modelInfoOf } from './model-registry.js';
import { singular, snakeCase } from './naming.js';

/** A relation with its columns worked out. */
export interface ResolvedRelation {
  readonly property: string;
  readonly toMany: boolean;
  readonly target: ModelInfo;
  /** Columns of the owning model whose values find the related rows. */
  readonly local: readonly ColumnInfo[];
  /** Columns of the target (for manyToMany: that the join table points at) that hold those values. */
  readonly remote: readonly ColumnInfo[];
  /** The table between, for manyToMany. */
  readonly through?: Through | undefined;
}

/** A join table: its column that points at the model of the relation, and that at its target. */
export interface Through {
  readonly table: string;
  readonly fk: string;
  readonly refFk: string;
}

const resolved = new WeakMap<ModelInfo, Map<string, ResolvedRelation>>();

/**
 * A relation of a model. What the declaration leaves out follows the convention: `<property>_id` for belongsTo,
 * `<singular table>_id` for the others, pointing at the primary key.
 *
 * @throws FwError `FW_ORM_RELATION` for an unknown one, `FW_ORM_MODEL` when its columns do not fit
 */
export function relationOf(model: ModelInfo, property: string): ResolvedRelation {
  const known = resolved.get(model) ?? new Map<string, ResolvedRelation>();
  resolved.set(model, known);
  const found = known.get(property);
  if (found) return found;
  const definition = model.relations.get(property);
  if (!definition) {
    const names = [...model.relations.keys()];
    throw fwError(ORM_ERRORS.FW_ORM_RELATION, {
      segment: property,
      model: model.name,
      known: names.length > 0 ? names : 'none',
    });
  }
  const made = resolve(model, definition);
  known.set(property, made);
  return made;
}

function resolve(model: ModelInfo, relation: RelationDefinition): ResolvedRelation {
  const { property, kind } = relation;
  const target = modelInfoOf(relation.target()) as ModelInfo;
  const toMany = kind === 'hasMany' || kind === 'manyToMany';
  const base = { property, toMany, target };
  if (kind === 'manyToMany') {
    const through = {
      table: declaredName(relation.join ?? ''),
      fk: declaredName(relation.joinFk ?? `${singular(model.table)}_id`),
      refFk: declaredName(relation.joinRefFk ?? `${singular(target.table)}_id`),
    };
    if (through.fk === through.refFk) {
      const problem = `both ends of the relation ${property} would be the column "${through.fk}" of ${through.table}; name them with joinFk and joinRefFk`;
      throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: model.name, problem });
    }
    return { ...base, through, local: single(model, property), remote: single(target, property) };
  }
  if (kind === 'belongsTo') {
    const local = columns(model, relation.fk ?? `${snakeCase(property)}_id`, property);
    return paired(model, { ...base, local, remote: named(target, relation.references, property) });
  }
  const remote = columns(target, relation.fk ?? `${singular(model.table)}_id`, property);
  return paired(model, { ...base, local: named(model, relation.references, property), remote });
}

function paired(model: ModelInfo, relation: ResolvedRelation): ResolvedRelation {
  if (relation.local.length === relation.remote.length && relation.local.length > 0) return relation;
  const problem = `the relation ${relation.property} pairs ${relation.local.length} columns with ${relation.remote.length}`;
  throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: model.name, problem });
}

function named(
  model: ModelInfo,
  names: string | readonly string[] | undefined,
  property: string,
): readonly ColumnInfo[] {
  return names === undefined ? model.primaryKey : columns(model, names, property);
}

function single(model: ModelInfo, property: string): readonly ColumnInfo[] {
  if (model.primaryKey.length === 1) return model.primaryKey;
  const problem = `the relation ${property} goes through a join table and needs one primary key column`;
  throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: model.name, problem });
}

function columns(model: ModelInfo, names: string | readonly string[], property: string): readonly ColumnInfo[] {
  return (typeof names === 'string' ? [names] : names).map((name) => {
    const found = model.find(name) ?? model.find(declaredName(name));
    if (found) return found;
    const problem = `the relation ${property} needs the column "${name}", which it does not have; name another with fk or references`;
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: model.name, problem });
  });
}
