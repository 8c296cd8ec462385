import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { declaredFields, declaredTable, type FieldTags } from './declarations.js';
import type { ColumnDefinition, ModelClass, ModelDefinition, RelationDefinition } from './model-definition.js';
import { parseDbTag, parseJsonTag, parseValidateTag } from './tag-grammar.js';

/**
 * Reads a model from its decorators alone, for classes without generated code. Types are unknown at run time, so a column
 * has the kind `any` (values as the driver gives them) unless its tag says `type=`.
 *
 * @throws FwError `FW_ORM_MODEL`, `FW_ORM_TAG`
 */
export function reflectedDefinition(target: ModelClass): ModelDefinition {
  const declared = declaredTable(target);
  const name = target.name;
  if (declared === undefined) throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: name, problem: 'it carries no @table' });
  const fields = [...declaredFields(target)];
  const columns = fields.flatMap(([property, tags]) => columnOf(name, property, tags));
  if (columns.length === 0) {
    throw fwError(ORM_ERRORS.FW_ORM_MODEL, { model: name, problem: 'it has no column; mark properties with @db' });
  }
  const { name: table, ...options } = declared;
  const relations = fields.flatMap(([property, tags]) => relationOf(property, tags));
  return { name, table, columns, relations, ...options };
}

function columnOf(model: string, property: string, tags: FieldTags): ColumnDefinition[] {
  if (tags.relation || tags.db === undefined) return [];
  const place = { model, field: property };
  // Which values there are is in the type, too.
  const { excluded, filled: _filled, enumAs: _enumAs, kind: said, ...tag } = parseDbTag(tags.db, place);
  // The kind of a column that the ORM fills is that of the filled value.
  const kind = said ?? (tag.version ? 'int' : tag.filledOn === undefined ? 'any' : 'date');
  if (excluded) return [];
  const rules = tags.validate === undefined ? [] : parseValidateTag(tags.validate, place);
  const wire = tags.json === undefined ? undefined : parseJsonTag(tags.json, place);
  // The type decides about null, but does not exist at run time, so the database decides.
  const nullable = tag.nullable || (kind === 'any' && !tag.primaryKey);
  return [
    {
      property,
      ...definedOnly(tag),
      kind,
      nullable,
      rules,
      ...(wire && { json: wire.excluded ? '-' : wire.name }),
      ...(wire?.writeOnly && { writeOnly: true }),
    },
  ];
}

function relationOf(property: string, tags: FieldTags): RelationDefinition[] {
  return tags.relation ? [{ property, ...tags.relation }] : [];
}

function definedOnly<Source extends { readonly column: string }>(source: Source) {
  const entries = Object.entries(source).filter(([, value]) => value !== undefined && (value as unknown) !== false);
  return Object.fromEntries(entries) as unknown as { column: string } & Partial<ColumnDefinition>;
}
