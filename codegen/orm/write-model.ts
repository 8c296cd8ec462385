import path from 'node:path';
import { kebabCase, stringLiteral as quoted, type ColumnKind } from '../../plugins/orm/core/index.js';
import { importOf, INDEX_MODULE } from '../engine/index-module.js';
import { jsonSchema } from './json-schema.js';
import { localNames, type LocalNames } from './local-names.js';
import type { ColumnSource, ModelSource, RelationSource } from './model-source.js';

// The drivers give these as they are, in every database.
const AS_THEY_ARE: ReadonlySet<ColumnKind> = new Set(['string', 'text', 'enum']);

// Other generators write these, whatever the models are.
const TAKEN: ReadonlySet<string> = new Set([INDEX_MODULE, 'validators.ts']);

/** Name of a model's generated module. */
export function moduleName(model: string): string {
  const name = `${kebabCase(model)}.ts`;
  return TAKEN.has(name) ? `${kebabCase(model)}-model.ts` : name;
}

/** Text of a model's generated module. */
export function writeModel(model: ModelSource, outDir: string, paths: readonly string[]): string {
  const names = localNames(model);
  const created = newRowType(model, names, relative(outDir, withoutEnding(model.file.getFilePath())));
  return [
    imports(model, names, outDir),
    registration(model, names),
    accessors(model, names),
    created,
    types(model, paths),
  ].join('\n');
}

function imports(model: ModelSource, { classOf, ormOf }: LocalNames, outDir: string): string {
  const modules = new Map<string, Set<string>>();
  const renamed = (name: string, local: string) => (local === name ? name : `${name} as ${local}`);
  const add = (module: string, name: string) =>
    modules.set(module, (modules.get(module) ?? new Set()).add(renamed(name, classOf(name))));
  const own = withoutEnding(model.file.getFilePath());
  add(own, model.name);
  for (const { target, targetModule } of model.relations) add(targetModule ?? own, target);
  const lines = [...modules].map(([module, names]) => {
    return `import { ${[...names].sort().join(', ')} } from '${relative(outDir, module)}';`;
  });
  const values = (['columnOf', 'registerModel'] as const).map((name) => renamed(name, ormOf(name)));
  const types = (['Column', 'newRow', 'Writable'] as const).map((name) => `type ${renamed(name, ormOf(name))}`);
  const orm = `import { ${[...values, ...types].join(', ')} } from 'fw/orm';`;
  return [orm, ...lines.sort(), ...relatedModules(model), ''].join('\n');
}

// Whoever imports a model preloads its relations, so the generated code of those has to be there too.
function relatedModules({ name, relations }: ModelSource): string[] {
  const related = new Set(relations.map(({ target }) => target).filter((target) => target !== name));
  return [...related].map((target) => importOf(moduleName(target))).sort();
}

function registration(model: ModelSource, names: LocalNames): string {
  const { name, table, columns, relations, checks, indexes } = model;
  const { classOf, ormOf } = names;
  return [
    `/** ${name} as the ORM knows it: table \`${table}\`. */`,
    `export const ${names.registration} = ${ormOf('registerModel')}(${classOf(name)}, {`,
    `  name: ${quoted(name)},`,
    `  table: ${quoted(table)},`,
    '  columns: [',
    ...columns.map((column) => `    ${literal(definition(column))},`),
    '  ],',
    ...(relations.length === 0
      ? []
      : ['  relations: [', ...relations.map((relation) => `    ${relationText(relation, names)},`), '  ],']),
    ...(Object.keys(checks).length === 0 ? [] : [`  checks: ${literal(checks)},`]),
    ...(indexes.length === 0 ? [] : [`  indexes: ${literal(indexes)},`]),
    ...scanner(model, names),
    `  values: (row) => [${columns.map(({ property }) => `row.${property}`).join(', ')}],`,
    `  schema: ${literal(jsonSchema(model))},`,
    '});',
    '',
  ].join('\n');
}

function definition({
  property,
  tag,
  kind,
  nullable,
  values,
  element,
  rules,
  json,
}: ColumnSource): Record<string, unknown> {
  const { column, primaryKey, autoincrement, generated, unique, index, size, precision, scale, rename, sqlType } = tag;
  const flags = { nullable, primaryKey, autoincrement, generated, unique, index };
  const given = { default: tag.default, size, precision, scale, rename, sqlType, values, element };
  const wire = json && (json.excluded ? '-' : json.name);
  return {
    property,
    column,
    kind,
    ...Object.fromEntries(Object.entries(flags).filter(([, on]) => on)),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(rules.length > 0 && { rules }),
    ...(wire !== undefined && wire !== property && { json: wire }),
  };
}

function relationText({ property, kind, target, options }: RelationSource, { classOf }: LocalNames): string {
  const rest = Object.entries(options).map(([key, value]) => `, ${key}: ${literal(value)}`);
  return `{ property: ${quoted(property)}, kind: ${quoted(kind)}, target: () => ${classOf(target)}${rest.join('')} }`;
}

function scanner({ name, columns }: ModelSource, { classOf, ormOf }: LocalNames): string[] {
  const model = classOf(name);
  const decoders = [...new Set(columns.map(({ kind }) => kind).filter((kind) => !AS_THEY_ARE.has(kind)))].sort();
  const renamed = decoders.map((kind) => (kind === 'enum' ? 'enum: enum_' : kind));
  return [
    `  scanner: (${decoders.length > 0 ? `{ ${renamed.join(', ')} }` : ''}) => (row) => {`,
    `    const made = new ${model}() as ${ormOf('Writable')}<${model}>;`,
    ...columns.map((column, at) => `    made.${column.property} = ${reading(column, at, model)};`),
    `    return made as ${model};`,
    '  },',
  ];
}

function reading({ property, kind, nullable, element }: ColumnSource, at: number, model: string): string {
  if (AS_THEY_ARE.has(kind)) return `row[${at}] as ${model}['${property}']`;
  const read = kind === 'array' && element ? `array(row[${at}], ${quoted(element)})` : `${kind}(row[${at}])`;
  return nullable ? `row[${at}] === null ? (null as never) : ${read}` : read;
}

function accessors({ name, columns }: ModelSource, { accessor, registration, classOf, ormOf }: LocalNames): string {
  const model = classOf(name);
  return [
    `/** Columns of ${name}, for conditions, orders, assignments and selections. */`,
    `export const ${accessor} = {`,
    ...columns.map(({ property, optional }) => {
      const type = `${ormOf('Column')}<${model}, '${property}', ${valueType(model, property, optional)}>`;
      return `  ${property}: ${ormOf('columnOf')}(${registration}, '${property}') as ${type},`;
    }),
    '};',
    '',
  ].join('\n');
}

// The class itself is what a query is given, so its type must lead to what `create` takes.
function newRowType({ name, columns }: ModelSource, { classOf, ormOf }: LocalNames, module: string): string {
  const model = classOf(name);
  return [
    `/** What \`create\` takes for ${name}: optional is what the database or a hook fills, and what may be null. */`,
    `export interface New${name} {`,
    ...columns.map((column) => {
      const type = valueType(model, column.property, column.optional);
      return mayBeLeftOut(column) ? `  ${column.property}?: ${type} | undefined;` : `  ${column.property}: ${type};`;
    }),
    '}',
    '',
    `declare module '${module}' {`,
    `  interface ${name} {`,
    `    readonly [${ormOf('newRow')}]?: New${name};`,
    '  }',
    '}',
    '',
  ].join('\n');
}

function mayBeLeftOut({ optional, nullable, tag }: ColumnSource): boolean {
  return optional || nullable || tag.autoincrement || tag.generated || tag.filled || tag.default !== undefined;
}

function valueType(model: string, property: string, optional: boolean): string {
  return optional ? `Exclude<${model}['${property}'], undefined>` : `${model}['${property}']`;
}

function types({ name }: ModelSource, paths: readonly string[]): string {
  const union = paths.length === 0 ? 'never' : paths.map(quoted).join(' | ');
  return [
    `/** Paths that \`preload\` takes for ${name}, three levels deep. */`,
    `export type ${name}Path = ${union};`,
    '',
  ].join('\n');
}

const withoutEnding = (file: string): string => file.replace(/\.[cm]?ts$/, '');

function relative(outDir: string, module: string): string {
  const from = path.posix.relative(outDir.replaceAll('\\', '/'), module);
  return `${from.startsWith('.') ? from : `./${from}`}.js`;
}

/** A value as TypeScript text; keys are quoted only where they must be. */
function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${literal(each)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
