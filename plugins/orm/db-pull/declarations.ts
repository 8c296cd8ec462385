import {
  camelCase,
  isIdentifier,
  kebabCase,
  ModelInfo,
  readDefault,
  singular,
  type ColumnDefinition,
  type ColumnInfo,
  type ColumnKind,
  type Dialect,
} from '../core/index.js';
import { defaultMeaning, sameDefault } from '../schema/default-text.js';
import type { ActualColumn, ActualForeignKey, ActualTable } from '../schema/introspect.js';
import { pulledIndexes, taggedIndex } from './indexes.js';
import { quoted } from './quoted.js';

/** A model declaration that was written from a table. */
export interface PulledModel {
  /** Name of the file, e.g. `order-line.ts`. */
  readonly file: string;
  readonly content: string;
  /** What could not be said in a declaration. */
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
// Names that a declaration needs for something else.
const TAKEN = ['BelongsTo', 'Date', 'Decimal', 'Float', 'HasMany', 'Int', 'Json', 'Text', 'Uint8Array', 'Uuid'];

/** Model declarations of tables: columns, keys, unique and other indexes, checks, and relations from foreign keys. */
export function declarationsOf(tables: readonly ActualTable[], dialect: Dialect): readonly PulledModel[] {
  const known = tables.filter(({ name }) => isIdentifier(name));
  const names = new Map<string, string>();
  for (const { name } of known) names.set(name, unlike(className(name), [...TAKEN, ...names.values()]));
  return known.map((table) => new Declaration(table, tables, names, dialect).write());
}

const className = (table: string): string => {
  const name = camelCase(singular(table.toLowerCase()));
  return name.charAt(0).toUpperCase() + name.slice(1);
};

function unlike(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let count = 2; taken.some((each) => kebabCase(each) === kebabCase(name)); count++) name = `${wanted}${count}`;
  return name;
}

class Declaration {
  readonly #imports = new Set<string>(['db', 'table']);
  readonly #models = new Map<string, string>();
  readonly #warnings: string[] = [];
  readonly #properties = new Set<string>();
  /** Properties by their columns. */
  readonly #columns = new Map<string, string>();

  constructor(
    private readonly table: ActualTable,
    private readonly all: readonly ActualTable[],
    private readonly names: ReadonlyMap<string, string>,
    private readonly dialect: Dialect,
  ) {}

  write(): PulledModel {
    const { table } = this;
    const name = this.#nameOf(table.name);
    const members = [
      ...table.columns.flatMap((column) => this.#column(column)),
      ...table.foreignKeys.flatMap((key) => this.#belongsTo(key)),
      ...this.all.flatMap((other) =>
        other.foreignKeys.filter((key) => key.table === table.name).flatMap((key) => this.#hasMany(other, key)),
      ),
    ];
    if (table.primaryKey.length === 0)
      this.#warnings.push(`${table.name} has no primary key; rows of it cannot be saved or removed`);
    const content = `${this.#importLines(name)}\n${this.#tableLine()}\nexport class ${name} {\n${members.join('\n\n')}\n}\n`;
    return { file: `${kebabCase(name)}.ts`, content, warnings: this.#warnings };
  }

  #nameOf(table: string): string {
    return this.names.get(table) ?? className(table);
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
    return checks.flatMap((check, at) => {
      const key = check.name === '' ? `${name}_check${at + 1}` : check.name;
      if (isIdentifier(key) && !key.includes('.')) return [`${key}: ${quoted(check.sql)},`];
      this.#warnings.push(
        `the check ${check.name} of ${name} is left out: its name is none that SQL takes without tricks`,
      );
      return [];
    });
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

  #column(column: ActualColumn): string[] {
    const place = `${this.table.name}.${column.name}`;
    if (!isIdentifier(column.name)) {
      this.#warnings.push(`${place} is left out: its name is none that SQL takes without tricks`);
      return [];
    }
    const { introspection } = this.dialect.schema;
    const kind = introspection.kindOf(column.type);
    if (kind === undefined) this.#warnings.push(`${place} has the type ${column.type}, which is read as text`);
    const element = kind === 'array' ? (introspection.kindOf(column.type.replace(/\[\]$/, '')) ?? 'text') : undefined;
    const type = element === undefined ? TYPES[kind ?? 'any'] : `${TYPES[element]}[]`;
    const imported = type.replace('[]', '');
    if (IMPORTED.has(imported)) this.#imports.add(`type ${imported}`);
    if (kind === 'json' || element === 'json') this.#imports.add('type Json');
    const property = this.#free(camelCase(column.name));
    this.#columns.set(column.name, property);
    const tag = [column.name, ...this.#options(column, { kind: kind ?? 'string', ...(element && { element }) })].join(
      ',',
    );
    return [`  @db(${quoted(tag)})\n  ${property}!: ${type}${column.nullable ? ' | null' : ''};`];
  }

  #options(column: ActualColumn, kind: Pick<ColumnDefinition, 'kind' | 'element'>): string[] {
    const { primaryKey, indexes } = this.table;
    const own = taggedIndex(indexes, column.name);
    const type = column.autoincrement ? [] : this.#type(column, kind);
    return [
      ...(primaryKey.includes(column.name) ? ['pk'] : []),
      ...(column.autoincrement ? ['autoincrement'] : []),
      ...(own === undefined ? [] : [own.unique ? 'unique' : 'index']),
      ...type.filter((option) => !option.startsWith('sql=')),
      ...this.#default(column, kind),
      // The last, because it takes the rest of the tag.
      ...type.filter((option) => option.startsWith('sql=')),
    ];
  }

  // What the kind alone, or with a size, does not say is said in the words of the database.
  #type({ type }: ActualColumn, kind: Pick<ColumnDefinition, 'kind' | 'element'>): string[] {
    const { schema } = this.dialect;
    const says = (said: Partial<ColumnDefinition>) =>
      schema.introspection.normalizeType(schema.columnType(columnInfo({ ...kind, ...said }))) ===
      schema.introspection.normalizeType(type);
    const size = /^(?:n?varchar|character varying|n?char)\((\d+)\)/i.exec(type)?.[1];
    const [, precision, scale] = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)/i.exec(type) ?? [];
    if (size !== undefined && says({ size: Number(size) }) && (size !== '255' || !says({}))) return [`size=${size}`];
    if (precision !== undefined && says({ precision: Number(precision), scale: Number(scale) }))
      return [`precision=${precision}`, `scale=${scale}`];
    return says({}) ? [] : [`sql=${type}`];
  }

  // A tag cannot hold a comma, and an expression only where the dialect has a word for it.
  #default(
    { name, default: text, autoincrement, computed }: ActualColumn,
    kind: Pick<ColumnDefinition, 'kind' | 'element'>,
  ): string[] {
    if (computed) return ['generated'];
    const meaning = defaultMeaning(text);
    if (autoincrement || meaning.is === 'none') return [];
    const said = meaning.is === 'now' ? 'now' : meaning.text.replace(/\(\)$/, '');
    // Such as a word of the database for a time.
    const isOfKind = readDefault(kind, said) !== undefined;
    const spelled = isOfKind ? this.dialect.schema.defaultValue(columnInfo(kind), said) : null;
    if (/^[^,\\\n]*$/.test(said) && said === said.trim() && sameDefault(spelled, text, kind.kind))
      return [`default=${said}`];
    this.#warnings.push(`${this.table.name}.${name} has the default ${text}, which a tag cannot say`);
    return ['generated'];
  }

  #belongsTo(key: ActualForeignKey): string[] {
    const { table, columns } = key;
    const target = this.names.get(table);
    if (target === undefined || !columns.every(isIdentifier)) return this.#skipped(columns, table);
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
      `  @belongsTo(() => ${target}, { ${options} })\n  ${this.#free(camelCase(wanted))}?: BelongsTo<${target}>;`,
    ];
  }

  #hasMany(other: ActualTable, key: ActualForeignKey): string[] {
    const target = this.names.get(other.name);
    if (target === undefined || !key.columns.every(isIdentifier)) return [];
    this.#use('hasMany', 'HasMany', target);
    const property = this.#free(camelCase(other.name));
    return [`  @hasMany(() => ${target}, { ${pointing(key).join(', ')} })\n  ${property}?: HasMany<${target}>;`];
  }

  #skipped(columns: readonly string[], table: string): string[] {
    this.#warnings.push(`${this.table.name} (${columns.join(', ')}) refers to ${table}; write this relation by hand`);
    return [];
  }

  #use(decorator: string, type: string, target: string): void {
    this.#imports.add(decorator).add(`type ${type}`);
    this.#models.set(target, kebabCase(target));
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#properties.has(name); count++) name = `${wanted}${count}`;
    this.#properties.add(name);
    return name;
  }
}

class Pulled {}

/** A column as a declaration would have it, to ask the dialect about. */
function columnInfo(definition: Omit<ColumnDefinition, 'property' | 'column'>): ColumnInfo {
  const column = { property: 'pulled', column: 'pulled', ...definition };
  return new ModelInfo(Pulled, { name: 'Pulled', table: 'pulled', columns: [column] }).column('pulled');
}

function pointing({ columns, references }: ActualForeignKey): readonly string[] {
  const list = (names: readonly string[]) =>
    names.length === 1 ? quoted(names[0] as string) : `[${names.map(quoted).join(', ')}]`;
  return [`fk: ${list(columns)}`, `references: ${list(references)}`];
}

const lines = (opening: string, members: readonly string[], closing: string): readonly string[] =>
  members.length === 0 ? [] : [`  ${opening}`, ...members.map((member) => `    ${member}`), `  ${closing}`];
