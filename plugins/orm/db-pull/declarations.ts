import { isFwError } from '../../../kernel/index.js';
import {
  kebabCase,
  ModelInfo,
  onOneLine,
  parseDbTag,
  singular,
  stringLiteral as quoted,
  type ColumnDefinition,
  type ColumnInfo,
  type ColumnKind,
  type Dialect,
} from '../core/index.js';
import { declarable, inQuotes } from '../schema/declarable.js';
import { defaultMeaning } from '../schema/default-text.js';
import type { ActualColumn, ActualForeignKey, ActualTable } from '../schema/introspect.js';
import { defaultOption } from './default-option.js';
import { pulledIndexes, taggedIndex } from './indexes.js';
import { classNames, PropertyNames } from './names.js';

/** A model declaration that was written from a table. */
export interface PulledModel {
  /** Name of the file, e.g. `order-line.ts`. */
  readonly file: string;
  readonly content: string;
  /** What could not be said in the declaration; its file says so, too. */
  readonly warnings: readonly string[];
}

/** What became of the tables of a database. */
export interface Pulled {
  readonly models: readonly PulledModel[];
  /** What no model could be written of. */
  readonly warnings: readonly string[];
}

const TYPES: Readonly<Record<ColumnKind, string>> = {
  int: 'Int',
  bigint: 'bigint',
  float: 'Float',
  decimal: 'Decimal',
  string: 'string',
  text: 'Text',
  boolean: 'boolean',
  date: 'Date',
  json: 'Json<unknown>',
  bytes: 'Uint8Array',
  uuid: 'Uuid',
  enum: 'string',
  array: 'string[]',
  any: 'string',
};
const IMPORTED = new Set(['Int', 'Float', 'Decimal', 'Text', 'Uuid']);
/** Why a model cannot have what a name stands for. */
const WHY_NOT = 'a model names only what is letters, digits and underscores, and begins with no digit';

/** Model declarations of tables: columns, keys, unique and other indexes, checks, and relations from foreign keys. */
export function declarationsOf(actual: readonly ActualTable[], dialect: Dialect): Pulled {
  const { tables, tablesAside, partsAside } = declarable(actual);
  // In the name of a table a dot is one of its letters; in a model it would stand behind a schema.
  const own = tables.filter(({ name }) => !name.includes('.'));
  const dotted = tables.filter(({ name }) => name.includes('.')).map(({ name }) => name);
  const known = own.filter(({ columns }) => columns.length > 0);
  const bare = own.filter(({ columns }) => columns.length === 0);
  const names = classNames(known.map(({ name }) => name));
  return {
    models: known.map((table) =>
      new Declaration(table, known, names, dialect, partsAside.get(table.name) ?? []).write(),
    ),
    warnings: [
      ...[...tablesAside, ...dotted].map((name) => `the table ${inQuotes(name)} is left out: ${WHY_NOT}`),
      ...bare.map(({ name }) => `the table ${name} is left out: it has no column that a model can have`),
    ].map(onOneLine),
  };
}

class Declaration {
  readonly #imports = new Set<string>(['db', 'table']);
  readonly #models = new Map<string, string>();
  readonly #warnings: string[];
  readonly #properties: PropertyNames;
  /** Properties by their columns. */
  readonly #columns = new Map<string, string>();
  /** A model has one column that the database counts; others are generated. */
  readonly #counted: ActualColumn | undefined;

  /**
   * @param all - tables that models are written of
   * @param names - class names by table
   * @param aside - what no model can declare, in words
   */
  constructor(
    private readonly table: ActualTable,
    private readonly all: readonly ActualTable[],
    private readonly names: ReadonlyMap<string, string>,
    private readonly dialect: Dialect,
    aside: readonly string[],
  ) {
    this.#warnings = aside.map((what) => `${what} of ${table.name} is left out: ${WHY_NOT}`);
    this.#properties = new PropertyNames(table.columns.map(({ name }) => name));
    const counted = table.columns.filter(({ autoincrement }) => autoincrement);
    this.#counted = counted.find(({ name }) => table.primaryKey.includes(name)) ?? counted[0];
  }

  write(): PulledModel {
    const { table } = this;
    const name = this.names.get(table.name) as string;
    const members = [
      ...table.columns.map((column) => this.#column(column)),
      ...table.foreignKeys.flatMap((key) => this.#belongsTo(key)),
      ...this.all.flatMap((other) =>
        other.foreignKeys.filter((key) => key.table === table.name).flatMap((key) => this.#hasMany(other, key)),
      ),
    ];
    if (table.primaryKey.length === 0)
      this.#warnings.push(`${table.name} has no primary key; rows of it cannot be saved or removed`);
    const declared = `${this.#tableLine()}\nexport class ${name} {\n${members.join('\n\n')}\n}\n`;
    const warnings = this.#warnings.map(onOneLine);
    return {
      file: `${kebabCase(name)}.ts`,
      content: `${notes(warnings)}${this.#importLines(name)}\n${declared}`,
      warnings,
    };
  }

  #tableLine(): string {
    const options = [
      ...lines('checks: {', this.#checks(), '},'),
      ...lines('indexes: [', pulledIndexes(this.table, this.#columns, this.#warnings), '],'),
    ];
    return `@table('${this.table.name}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`;
  }

  #checks(): readonly string[] {
    const { name, checks } = this.table;
    return checks.map((check, at) => `${check.name || `${name}_check${at + 1}`}: ${quoted(check.sql)},`);
  }

  #importLines(self: string): string {
    const named = [...this.#imports].sort((a, b) => (a.replace('type ', '') < b.replace('type ', '') ? -1 : 1));
    const models = [...this.#models].filter(([name]) => name !== self).sort();
    return [
      `import { ${named.join(', ')} } from 'fw/orm';`,
      ...models.map(([name, file]) => `import { ${name} } from './${file}.js';`),
      '',
    ].join('\n');
  }

  #column(column: ActualColumn): string {
    const place = `${this.table.name}.${column.name}`;
    const { introspection } = this.dialect.schema;
    const kind = introspection.kindOf(column.type);
    if (kind === undefined) this.#warnings.push(`${place} has the type ${column.type}, which is read as text`);
    const element = kind === 'array' ? (introspection.kindOf(column.type.replace(/\[\]$/, '')) ?? 'text') : undefined;
    const type = element === undefined ? TYPES[kind ?? 'any'] : `${TYPES[element]}[]`;
    const imported = type.replace('[]', '');
    if (IMPORTED.has(imported)) this.#imports.add(`type ${imported}`);
    if (kind === 'json' || element === 'json') this.#imports.add('type Json');
    const property = this.#properties.ofColumn(column.name);
    this.#columns.set(column.name, property);
    const tag = [column.name, ...this.#options(column, { kind: kind ?? 'string', ...(element && { element }) })].join(
      ',',
    );
    return `  @db(${quoted(tag)})\n  ${property}!: ${type}${column.nullable ? ' | null' : ''};`;
  }

  #options(column: ActualColumn, kind: Pick<ColumnDefinition, 'kind' | 'element'>): string[] {
    const { primaryKey, indexes } = this.table;
    const own = taggedIndex(indexes, column.name);
    const isCounted = column === this.#counted;
    const type = this.#type(column, kind);
    return [
      ...(primaryKey.includes(column.name) ? ['pk'] : []),
      ...(isCounted ? ['autoincrement'] : []),
      ...(own === undefined ? [] : [own.unique ? 'unique' : 'index']),
      ...type.filter((option) => !option.startsWith('sql=')),
      ...(isCounted ? [] : this.#default(column, kind)),
      // The last, because it takes the rest of the tag.
      ...type.filter((option) => option.startsWith('sql=')),
    ];
  }

  // What the kind alone, or with a size, does not say is said in the words of the database.
  #type({ name, type }: ActualColumn, kind: Pick<ColumnDefinition, 'kind' | 'element'>): string[] {
    const { schema } = this.dialect;
    const says = (said: Partial<ColumnDefinition>) =>
      schema.introspection.normalizeType(schema.columnType(columnInfo({ ...kind, ...said }))) ===
      schema.introspection.normalizeType(type);
    const size = /^(?:n?varchar|character varying|n?char)\((\d+)\)/i.exec(type)?.[1];
    const [, precision, scale] = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)/i.exec(type) ?? [];
    if (size !== undefined && says({ size: Number(size) }) && (size !== '255' || !says({}))) return [`size=${size}`];
    if (precision !== undefined && says({ precision: Number(precision), scale: Number(scale) }))
      return [`precision=${precision}`, `scale=${scale}`];
    if (says({})) return [];
    if (isTag(`pulled,sql=${type}`)) return [`sql=${type}`];
    this.#warnings.push(`${this.table.name}.${name} has the type ${type}, which a tag cannot say`);
    return [];
  }

  // What the database fills by itself, or by an expression that the dialect has no word for, is its own business.
  #default(
    { name, default: text, autoincrement, computed }: ActualColumn,
    kind: Pick<ColumnDefinition, 'kind' | 'element'>,
  ): string[] {
    if (computed || autoincrement) return ['generated'];
    if (text === null || defaultMeaning(text).is === 'none') return [];
    const option = defaultOption(columnInfo(kind), text, this.dialect);
    if (option !== undefined) return [option];
    this.#warnings.push(`${this.table.name}.${name} has the default ${text}, which a tag cannot say`);
    return ['generated'];
  }

  #belongsTo(key: ActualForeignKey): string[] {
    const { table, columns } = key;
    const target = this.names.get(table);
    if (target === undefined || !this.#isWhole(this.table, key)) {
      this.#warnings.push(`${this.table.name} (${columns.join(', ')}) refers to ${table}; write this relation by hand`);
      return [];
    }
    this.#use('belongsTo', 'BelongsTo', target);
    const [column = ''] = columns;
    const base = column.replace(/_id$/, '');
    const wanted = columns.length > 1 ? singular(table) : base === column ? `${column}_row` : base;
    const actions = [
      ...(key.onDelete === 'no action' ? [] : [`onDelete: '${key.onDelete}'`]),
      ...(key.onUpdate === 'no action' ? [] : [`onUpdate: '${key.onUpdate}'`]),
    ];
    const options = [...pointing(key), ...(actions.length > 0 ? actions : ['constraint: true'])].join(', ');
    return [
      `  @belongsTo(() => ${target}, { ${options} })\n  ${this.#properties.ofRelation(wanted)}?: BelongsTo<${target}>;`,
    ];
  }

  #hasMany(other: ActualTable, key: ActualForeignKey): string[] {
    const target = this.names.get(other.name);
    if (target === undefined || !this.#isWhole(other, key)) return [];
    this.#use('hasMany', 'HasMany', target);
    const property = this.#properties.ofRelation(other.name);
    return [`  @hasMany(() => ${target}, { ${pointing(key).join(', ')} })\n  ${property}?: HasMany<${target}>;`];
  }

  // SQLite takes a key that points at nothing.
  #isWhole(holder: ActualTable, { columns, table, references }: ActualForeignKey): boolean {
    const has = (owner: ActualTable | undefined, names: readonly string[]) =>
      names.every((name) => owner?.columns.some((column) => column.name === name));
    return (
      has(holder, columns) &&
      has(
        this.all.find(({ name }) => name === table),
        references,
      )
    );
  }

  #use(decorator: string, type: string, target: string): void {
    this.#imports.add(decorator).add(`type ${type}`);
    this.#models.set(target, kebabCase(target));
  }
}

class Example {}

/** A column as a declaration would have it, to ask the dialect about. */
function columnInfo(definition: Omit<ColumnDefinition, 'property' | 'column'>): ColumnInfo {
  const column = { property: 'pulled', column: 'pulled', ...definition };
  return new ModelInfo(Example, { name: 'Pulled', table: 'pulled', columns: [column] }).column('pulled');
}

function isTag(tag: string): boolean {
  try {
    parseDbTag(tag, { model: 'Pulled', field: 'pulled' });
    return true;
  } catch (error) {
    if (isFwError(error)) return false;
    throw error;
  }
}

const notes = (warnings: readonly string[]): string =>
  warnings.length === 0
    ? ''
    : `// What \`fw db pull\` could not say:\n${warnings.map((each) => `// - ${each}\n`).join('')}\n`;

function pointing({ columns, references }: ActualForeignKey): readonly string[] {
  const list = (names: readonly string[]) =>
    names.length === 1 ? quoted(names[0] as string) : `[${names.map(quoted).join(', ')}]`;
  return [`fk: ${list(columns)}`, `references: ${list(references)}`];
}

const lines = (opening: string, members: readonly string[], closing: string): readonly string[] =>
  members.length === 0 ? [] : [`  ${opening}`, ...members.map((member) => `    ${member}`), `  ${closing}`];
