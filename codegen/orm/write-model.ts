import path from 'node:path';
import { isNumeric, kebabCase, onOneLine, type ColumnKind } from '../../plugins/orm/core/index.js';
import { importOf, INDEX_MODULE } from '../engine/index-module.js';
import { jsonSchema } from './json-schema.js';
import { localNames, type LocalNames } from './local-names.js';
import {
  assignmentText,
  Code,
  importText,
  LINE_WIDTH,
  optionalMemberText,
  quotedText as quoted,
  unionText,
  writtenValue,
} from '../text/index.js';
import type { ColumnSource, ModelSource, RelationSource } from './model-source.js';

// Every driver returns these kinds as they are; enums of texts too.
const AS_THEY_ARE: ReadonlySet<ColumnKind> = new Set(['string', 'text', 'enum']);

// Names of modules that other generators write.
const TAKEN: ReadonlySet<string> = new Set([INDEX_MODULE, 'validators.ts']);

/** Name of a model's generated module. */
export function moduleName(model: string): string {
  const name = `${kebabCase(model)}.ts`;
  return TAKEN.has(name) ? `${kebabCase(model)}-model.ts` : name;
}

/** Text of a model's generated module. */
export function writeModel(model: ModelSource, outDir: string, paths: readonly string[]): string {
  const names = localNames(model);
  const created = newRowType(model, names, moduleSpecifier(outDir, model.file));
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
  const add = (module: string, exported: string, name: string) =>
    modules.set(module, (modules.get(module) ?? new Set()).add(renamed(exported, classOf(name))));
  add(moduleSpecifier(outDir, model.file), model.exportName, model.name);
  for (const { target, targetFile, targetExport, library } of model.relations)
    add(library?.from ?? moduleSpecifier(outDir, targetFile), targetExport, target);
  const lines = [...modules].map(([module, names]) => importText([...names].sort(), quoted(module)));
  const values = (['columnOf', 'registerModel'] as const).map((name) => renamed(name, ormOf(name)));
  const writeOnly = writeOnlyOf(model).length > 0 ? (['writeOnlyKeys'] as const) : [];
  const counted = countedOf(model).length > 0 ? (['countedKeys'] as const) : [];
  const keys = keysOf(model) === undefined ? [] : (['primaryKeys'] as const);
  const views = model.view === undefined ? [] : (['viewRows'] as const);
  const types = (
    ['Column', ...counted, 'newRow', ...keys, 'tableName', 'Writable', ...views, ...writeOnly] as const
  ).map((name) => `type ${renamed(name, ormOf(name))}`);
  const orm = importText([...values, ...types], "'fw/orm'");
  return [orm, ...lines.sort(), ...relatedModules(model), ''].join('\n');
}

// A user of a model may preload its relations, so the generated modules of their targets are imported too.
function relatedModules({ name, relations }: ModelSource): string[] {
  const related = relations.flatMap(({ target, library }) => {
    if (library) return `import ${quoted(library.generated)};`;
    return target === name ? [] : importOf(moduleName(target));
  });
  return [...new Set(related)].sort();
}

function registration(model: ModelSource, names: LocalNames): string {
  const { name, table, columns, relations, checks, indexes, databases, view } = model;
  const { classOf, ormOf } = names;
  return [
    `/** ${name} as the ORM knows it: table \`${onOneLine(table).replaceAll('*/', '*\\/')}\`. */`,
    `export const ${names.registration} = ${ormOf('registerModel')}(${classOf(name)}, {`,
    `  name: ${quoted(name)},`,
    `  table: ${quoted(table)},`,
    member('columns', columns.map(definition)),
    ...(relations.length === 0
      ? []
      : [
          member(
            'relations',
            relations.map((each) => relationValue(each, names)),
          ),
        ]),
    ...(Object.keys(checks).length === 0 ? [] : [member('checks', checks)]),
    ...(indexes.length === 0 ? [] : [member('indexes', indexes)]),
    ...(view === undefined ? [] : [member('view', view)]),
    ...(model.primaryKey === undefined ? [] : [member('primaryKey', model.primaryKey)]),
    ...(model.comment === undefined ? [] : [member('comment', model.comment)]),
    ...(databases.length === 0 ? [] : [member('database', databases)]),
    ...scanner(model, names),
    member(
      'values',
      columns.map(({ property }) => new Code(`row.${property}`)),
      '(row) => ',
    ),
    member('schema', jsonSchema(model)),
    '});',
    '',
  ].join('\n');
}

function member(name: string, value: unknown, before = ''): string {
  const head = `  ${name}: ${before}`;
  return `${head}${writtenValue(value, { indent: 2, column: head.length, after: 1 })},`;
}

function definition({
  property,
  tag,
  kind,
  temporal,
  nullable,
  values,
  element,
  rules,
  json,
}: ColumnSource): Record<string, unknown> {
  const {
    column,
    primaryKey,
    autoincrement,
    generated,
    virtual,
    expression,
    filledOn,
    version,
    unique,
    index,
    size,
    precision,
    scale,
    format,
    rename,
    comment,
    enumAs,
    sqlType,
  } = tag;
  const flags = { nullable, primaryKey, autoincrement, generated, virtual, version, unique, index };
  const given = {
    expression,
    filledOn,
    default: tag.default,
    size,
    precision,
    scale,
    format,
    rename,
    comment,
    sqlType,
    values,
    element,
    enumAs,
  };
  const wire = json && (json.excluded ? '-' : json.name);
  return {
    property,
    column,
    kind,
    ...(temporal && { temporal }),
    ...Object.fromEntries(Object.entries(flags).filter(([, on]) => on)),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(rules.length > 0 && { rules }),
    ...(wire !== undefined && wire !== property && { json: wire }),
    ...(json?.writeOnly && { writeOnly: true }),
  };
}

function relationValue({ property, kind, target, options }: RelationSource, { classOf }: LocalNames): object {
  return { property, kind, target: new Code(`() => ${classOf(target)}`), ...options };
}

function scanner({ name, columns: all }: ModelSource, { classOf, ormOf }: LocalNames): string[] {
  const model = classOf(name);
  const columns = all.filter(({ json }) => !json?.writeOnly);
  const decoders = [...new Set(columns.map(decoderOf).filter((kind) => !AS_THEY_ARE.has(kind)))].sort();
  // Prettier breaks the line between two nested arrow functions only if the outer one has parameters.
  const [open, indent] =
    decoders.length > 0
      ? [['  scanner:', `    ({ ${decoders.join(', ')} }) =>`, '    (row) => {'], 6]
      : [['  scanner: () => (row) => {'], 4];
  const pad = ' '.repeat(indent);
  return [
    ...open,
    `${pad}const made = new ${model}() as ${ormOf('Writable')}<${model}>;`,
    ...columns.map((column, at) => assignmentText(indent, `made.${column.property}`, reading(column, at, model))),
    `${pad}return made as ${model};`,
    `${pad.slice(2)}},`,
  ];
}

// A driver that is asked for exact integers returns bigints, also for numeric enums.
const decoderOf = ({ kind, values = [] }: ColumnSource): ColumnKind =>
  kind === 'enum' && isNumeric(values) ? 'float' : kind;

function reading(column: ColumnSource, at: number, model: string): string {
  const { property, optional, nullable, element } = column;
  const kind = decoderOf(column);
  if (AS_THEY_ARE.has(kind)) return `row[${at}] as ${valueType(model, property, optional)}`;
  const read = kind === 'array' && element ? `array(row[${at}], ${quoted(element)})` : `${kind}(row[${at}])`;
  return nullable ? `row[${at}] === null ? (null as never) : ${read}` : read;
}

function accessors({ name, columns }: ModelSource, { accessor, registration, classOf, ormOf }: LocalNames): string {
  const model = classOf(name);
  return [
    `/** Columns of ${name}, for conditions, orders, assignments and selections. */`,
    `export const ${accessor} = {`,
    ...columns.map(({ property, optional }) => {
      const parts = [model, `'${property}'`, valueType(model, property, optional)];
      const head = `  ${property}: ${ormOf('columnOf')}(${registration}, '${property}') as ${ormOf('Column')}<`;
      const flat = `${head}${parts.join(', ')}>,`;
      return flat.length <= LINE_WIDTH
        ? flat
        : [
            head,
            ...parts
              .map((part) => `    ${part},`)
              .join('\n')
              .slice(0, -1)
              .split('\n'),
            '  >,',
          ].join('\n');
    }),
    '};',
    '',
  ].join('\n');
}

// A query gets only the class, so the type of `create`'s argument has to be found through the class.
function newRowType(source: ModelSource, { classOf, ormOf }: LocalNames, module: string): string {
  const { name, columns } = source;
  const model = classOf(name);
  const writeOnly = writeOnlyOf(source);
  const counted = countedOf(source);
  const keys = keysOf(source);
  const members = columns
    // `create` does not take a computed column; an optional property gets the type undefined, so that nobody sets it.
    .filter(({ tag, optional }) => !tag.autoincrement && (!tag.generated || optional))
    .map((column) => {
      if (column.tag.generated) return `  ${column.property}?: undefined;`;
      const type = valueType(model, column.property, column.optional);
      return mayBeLeftOut(column) ? optionalMemberText(column.property, type) : `  ${column.property}: ${type};`;
    });
  return [
    `/** What \`create\` takes for ${name}: optional is what the database or a hook fills, and what may be null. */`,
    ...(members.length === 0 ? [`export interface New${name} {}`] : [`export interface New${name} {`, ...members, '}']),
    '',
    `declare module ${quoted(module)} {`,
    `  interface ${name} {`,
    `    readonly [${ormOf('newRow')}]?: New${name};`,
    `    readonly [${ormOf('tableName')}]?: { readonly [Key in typeof ${ormOf('tableName')} | ${quoted(source.table)}]?: never };`,
    ...(source.view === undefined ? [] : [`    readonly [${ormOf('viewRows')}]?: true;`]),
    ...(writeOnly.length > 0
      ? [`    readonly [${ormOf('writeOnlyKeys')}]?: ${writeOnly.map(quoted).join(' | ')};`]
      : []),
    ...(counted.length > 0 ? [`    readonly [${ormOf('countedKeys')}]?: ${counted.map(quoted).join(' | ')};`] : []),
    ...(keys === undefined
      ? []
      : [`    readonly [${ormOf('primaryKeys')}]?: ${keys.map(quoted).join(' | ') || 'never'};`]),
    '  }',
    '}',
    '',
  ].join('\n');
}

const countedOf = ({ columns }: ModelSource): readonly string[] =>
  columns.filter(({ tag }) => tag.autoincrement).map(({ property }) => property);

// A counted column is the key, and noted as that.
function keysOf(model: ModelSource): readonly string[] | undefined {
  if (countedOf(model).length > 0) return undefined;
  return model.columns.filter(({ tag }) => tag.primaryKey).map(({ property }) => property);
}

const writeOnlyOf = ({ columns }: ModelSource): readonly string[] =>
  columns.filter(({ json }) => json?.writeOnly).map(({ property }) => property);

// A write-only property is declared optional although writes may require it.
function mayBeLeftOut({ optional: declared, nullable, tag, json }: ColumnSource): boolean {
  const optional = declared && !json?.writeOnly;
  return optional || nullable || tag.filled || tag.default !== undefined;
}

function valueType(model: string, property: string, optional: boolean): string {
  return optional ? `Exclude<${model}['${property}'], undefined>` : `${model}['${property}']`;
}

function types({ name }: ModelSource, paths: readonly string[]): string {
  const alternatives = paths.length === 0 ? ['never'] : paths.map(quoted);
  return [
    `/** Paths that \`preload\` takes for ${name}, three levels deep. */`,
    unionText(`export type ${name}Path`, alternatives),
    '',
  ].join('\n');
}

// An import names the compiled file of a source.
function moduleSpecifier(outDir: string, file: string): string {
  const from = path.posix.relative(outDir.replaceAll('\\', '/'), file.replace(/\.([cm]?)tsx?$/, '.$1js'));
  return from.startsWith('.') ? from : `./${from}`;
}
