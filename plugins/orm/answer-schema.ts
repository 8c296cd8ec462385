import type { JsonSchema } from '../../kernel/index.js';
import { type ModelClass, modelInfoOf, type RelationDefinition } from './core/index.js';

/**
 * JSON Schema of a model's rows in responses: columns by their JSON names, and relations with the schemas of their rows. For a model
 * without generated code only the names are known.
 *
 * @throws FwError `FW_ORM_MODEL`, `FW_ORM_TAG`
 */
export function answerSchema(model: ModelClass): JsonSchema {
  const names = new Map<ModelClass, string>();
  const definitions: Record<string, JsonSchema> = {};
  const referenceTo = (target: ModelClass): JsonSchema => {
    const known = names.get(target);
    const name = known ?? `model${names.size}`;
    if (known === undefined) {
      names.set(target, name);
      definitions[name] = rowSchema(target, (relation) => relationSchema(relation, referenceTo));
    }
    return { $ref: `#/$defs/${name}` };
  };
  return { title: model.name, ...referenceTo(model), $defs: definitions };
}

function relationSchema({ kind, target }: RelationDefinition, of: (target: ModelClass) => JsonSchema): JsonSchema {
  const row = of(target());
  return kind === 'hasMany' || kind === 'manyToMany' ? { type: 'array', items: row } : row;
}

function rowSchema(model: ModelClass, relation: (relation: RelationDefinition) => JsonSchema): JsonSchema {
  const { columns, relations, definition } = modelInfoOf(model);
  const visible = columns.filter(({ hidden }) => !hidden);
  const unknown = Object.fromEntries(visible.map(({ property, definition: { json } }) => [json ?? property, {}]));
  const related = [...relations.values()].map((each) => [each.property, relation(each)] as const);
  const schema = definition.schema ?? { type: 'object' };
  return {
    ...schema,
    properties: { ...unknown, ...(schema['properties'] as object | undefined), ...Object.fromEntries(related) },
  };
}
