import { Node, Project, type PropertyDeclaration } from 'ts-morph';
import { fwError } from '../../../kernel/errors/index.js';
import { parseDbTag, parseValidateTag } from '../../../plugins/orm/core/index.js';
import { columnType } from '../../orm/column-type.js';
import type { FieldKind } from '../engine/field-types.js';
import type { Field } from '../engine/fields.js';
import type { Names } from '../engine/names.js';
import { SCHEMATICS_ERRORS } from '../errors.js';

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: 'string',
  text: 'text',
  int: 'int',
  bigint: 'bigint',
  float: 'number',
  decimal: 'string',
  uuid: 'uuid',
  boolean: 'boolean',
  date: 'date',
  json: 'json',
  enum: 'enum',
  array: 'strings',
};

/**
 * The fields of a model that is there already, read from its source; its key and what the database or a hook fills
 * (`default=`, `generated`, timestamps) are not among them.
 *
 * @param given - fields that the caller named; must be none, because the model decides
 * @throws FwError `FW_SCHEMATIC_FIELD`
 */
export function fieldsOfModel(names: Names, text: string, given: readonly string[]): readonly Field[] {
  const [first] = given;
  if (first !== undefined) {
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_EXISTS, {
      file: `app/models/${names.kebab}.ts`,
      owner: 'says what the fields are',
      remedy: `Leave them out (fw generate resource ${names.pascal}), or repeat with force to write the model anew.`,
    });
  }
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const declaration = project.createSourceFile('model.ts', text).getClass(names.pascal);
  const properties = declaration?.getProperties() ?? [];
  const relations = relationsOf(properties);
  return properties.flatMap((property) => fieldOf(property, relations));
}

function relationsOf(
  properties: readonly PropertyDeclaration[],
): ReadonlyMap<string, { property: string; model: string }> {
  const found = new Map<string, { property: string; model: string }>();
  for (const property of properties) {
    const [target, options] = property.getDecorator('belongsTo')?.getArguments() ?? [];
    const model = /=>\s*(\w+)/.exec(target?.getText() ?? '')?.[1];
    if (model === undefined) continue;
    const key = /fk:\s*['"](\w+)['"]/.exec(options?.getText() ?? '')?.[1];
    found.set(key ?? `${model.charAt(0).toLowerCase()}${model.slice(1)}Id`, { property: property.getName(), model });
  }
  return found;
}

function fieldOf(
  property: PropertyDeclaration,
  relations: ReadonlyMap<string, { property: string; model: string }>,
): readonly Field[] {
  const name = property.getName();
  const place = { model: 'model', field: name };
  const written = tagText(property, 'db');
  if (written === undefined) return [];
  const tag = parseDbTag(written, place as never);
  if (tag.excluded || tag.primaryKey || tag.generated || tag.default !== undefined) return [];
  if (name === 'createdAt' || name === 'updatedAt' || name === 'deletedAt') return [];
  const node = property.getTypeNode();
  const type = node && columnType(node, (alias) => property.getSourceFile().getTypeAlias(alias));
  const relation = relations.get(name) ?? relations.get(tag.column);
  const kind = relation ? 'relation' : KINDS[type?.kind ?? ''];
  if (!type || !kind || (kind === 'strings' && type.element !== 'string')) throw unreadable(property);
  const rules = parseValidateTag(tagText(property, 'validate') ?? '', place as never);
  const numberOf = (rule: string) => {
    const argument = rules.find((each) => each.rule === rule)?.argument;
    return argument === undefined ? undefined : Number(argument);
  };
  return [
    {
      property: name,
      column: tag.column,
      kind,
      nullable: type.nullable || tag.nullable,
      required: rules.some(({ rule }) => rule === 'required'),
      email: rules.some(({ rule }) => rule === 'email'),
      min: numberOf('min'),
      max: numberOf('max'),
      values: (type.values ?? []).map(String),
      unique: tag.unique,
      index: tag.index,
      relation,
    },
  ];
}

function tagText(property: PropertyDeclaration, decorator: string): string | undefined {
  const [argument] = property.getDecorator(decorator)?.getArguments() ?? [];
  return argument && (Node.isStringLiteral(argument) || Node.isNoSubstitutionTemplateLiteral(argument))
    ? argument.getLiteralText()
    : undefined;
}

function unreadable(property: PropertyDeclaration): Error {
  return fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_FIELD, {
    field: property.getName(),
    problem: `a resource cannot be made for the type ${property.getTypeNode()?.getText() ?? '(none)'}; write its routes by hand`,
    example: 'name:string',
  });
}
