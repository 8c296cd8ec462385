import path from 'node:path';
import { camelCase, kebabCase, type ColumnKind } from '../../plugins/orm/core/index.js';
import { importOf } from '../engine/index-module.js';
import { jsonSchema } from './json-schema.js';
import type { ColumnSource, ModelSource, RelationSource } from './model-source.js';

// The drivers give these as they are, in every database.
const AS_THEY_ARE: ReadonlySet<ColumnKind> = new Set(['string', 'text', 'enum']);

/** Name of a model's generated module. */
export const moduleName = (model: string): string => `${kebabCase(model)}.ts`;

/** Text of a model's generated module. */
export function writeModel(model: ModelSource, outDir: string, paths: readonly string[]): string {
  const created = newRowType(model, relative(outDir, withoutEnding(model.file.getFilePath())));
  return [imports(model, outDir), registration(model), accessors(model), created, types(model, paths)].join('\n');
}

function imports(model: ModelSource, outDir: string): string {
  const modules = new Map<string, Set<string>>();
  const add = (module: string, name: string) => modules.set(module, (modules.get(module) ?? new Set()).add(name));
  const own = withoutEnding(model.file.getFilePath());
  add(own, model.name);
  for (const { target, targetModule } of model.relations) add(targetModule ?? own, target);
  const lines = [...modules].map(([module, names]) => {
    return `import { ${[...names].sort().join(', ')} } from '${relative(outDir, module)}';`;
  });
  const types = ['Column', 'newRow', 'Writable'].map((name) => `type ${name}`);
  const orm = `import { columnOf, registerModel, ${types.join(', ')} } from 'fw/orm';`;
  return [orm, ...lines.sort(), ...relatedModules(model), ''].join('\n');
}

// Whoever imports a model preloads its relations, so the generated code of those has to be there too.
function relatedModules({ name, relations }: ModelSource): string[] {
  const related = new Set(relations.map(({ target }) => target).filter((target) => target !== name));
  return [...related].map((target) => importOf(moduleName(target))).sort();
}

function registration(model: ModelSource): string {
  const { name, table, columns, relations, checks, indexes } = model;
  return [
    `/** ${name} as the ORM knows it: table \`${table}\`. */`,
    `export const ${camelCase(name)}Model = registerModel(${name}, {`,
    `  name: ${quoted(name)},`,
    `  table: ${quoted(table)},`,
    '  columns: [',
    ...columns.map((column) => `    ${literal(definition(column))},`),
    '  ],',
    ...(relations.length === 0
      ? []
      : ['  relations: [', ...relations.map((relation) => `    ${relationText(relation)},`), '  ],']),
    ...(Object.keys(checks).length === 0 ? [] : [`  checks: ${literal(checks)},`]),
    ...(indexes.length === 0 ? [] : [`  indexes: ${literal(indexes)},`]),
    ...scanner(model),
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

function relationText({ property, kind, target, options }: RelationSource): string {
  const rest = Object.entries(options).map(([key, value]) => `, ${key}: ${literal(value)}`);
  return `{ property: ${quoted(property)}, kind: ${quoted(kind)}, target: () => ${target}${rest.join('')} }`;
}

function scanner({ name, columns }: ModelSource): string[] {
  const decoders = [...new Set(columns.map(({ kind }) => kind).filter((kind) => !AS_THEY_ARE.has(kind)))].sort();
  const renamed = decoders.map((kind) => (kind === 'enum' ? 'enum: enum_' : kind));
  return [
    `  scanner: (${decoders.length > 0 ? `{ ${renamed.join(', ')} }` : ''}) => (row) => {`,
    `    const made = new ${name}() as Writable<${name}>;`,
    ...columns.map((column, at) => `    made.${column.property} = ${reading(column, at, name)};`),
    `    return made as ${name};`,
    '  },',
  ];
}

function reading({ property, kind, nullable, element }: ColumnSource, at: number, name: string): string {
  if (AS_THEY_ARE.has(kind)) return `row[${at}] as ${name}['${property}']`;
  const read = kind === 'array' && element ? `array(row[${at}], ${quoted(element)})` : `${kind}(row[${at}])`;
  return nullable ? `row[${at}] === null ? (null as never) : ${read}` : read;
}

function accessors({ name, columns }: ModelSource): string {
  const accessor = camelCase(name);
  return [
    `/** Columns of ${name}, for conditions, orders, assignments and selections. */`,
    `export const ${accessor} = {`,
    ...columns.map(({ property, optional }) => {
      const type = `Column<${name}, '${property}', ${valueType(name, property, optional)}>`;
      return `  ${property}: columnOf(${accessor}Model, '${property}') as ${type},`;
    }),
    '};',
    '',
  ].join('\n');
}

// The class itself is what a query is given, so its type must lead to what `create` takes.
function newRowType({ name, columns }: ModelSource, module: string): string {
  return [
    `/** What \`create\` takes for ${name}: optional is what the database or a hook fills, and what may be null. */`,
    `export interface New${name} {`,
    ...columns.map((column) => {
      const type = valueType(name, column.property, column.optional);
      return mayBeLeftOut(column) ? `  ${column.property}?: ${type} | undefined;` : `  ${column.property}: ${type};`;
    }),
    '}',
    '',
    `declare module '${module}' {`,
    `  interface ${name} {`,
    `    readonly [newRow]?: New${name};`,
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

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

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
