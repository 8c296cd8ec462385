import { isFwError } from '../../../kernel/index.js';
import {
  kebabCase,
  ModelInfo,
  onOneLine,
  parseDbTag,
  plural,
  singular,
  stringLiteral as quoted,
  type ColumnDefinition,
  type ColumnInfo,
  type ColumnKind,
  type Dialect,
} from '../core/index.js';
import { computationOf } from '../schema/computed-columns.js';
import { declarable, inQuotes } from '../schema/declarable.js';
import { namedBy } from '../schema/names.js';
import { defaultMeaning } from '../schema/default-text.js';
import type { ActualCheck, ActualColumn, ActualForeignKey, ActualTable } from '../schema/introspect.js';
import { bareQuery } from '../schema/said-queries.js';
import { defaultOption } from './default-option.js';
import { pulledIndexes, taggedIndex } from './indexes.js';
import { joinTables, type JoinTable } from './join-tables.js';
import { checkOption, kindOfValues, listedValues, unionOf } from './listed-values.js';
import { classNames, PropertyNames } from './names.js';
import type { PulledValues } from './held-values.js';

/** A model declaration that was written from a table. */
export interface PulledModel {
  /** Name of the file, e.g. `order-line.ts`. */
  readonly file: string;
  readonly content: string;
  /** Facts that the declaration cannot express; its file lists them too. */
  readonly warnings: readonly string[];
}

/** The models of a database's tables. */
export interface Pulled {
  readonly models: readonly PulledModel[];
  /** Tables for which no model could be written. */
  readonly warnings: readonly string[];
}

/** TypeScript type of a property by kind; enums and arrays have more specific types if their values or elements are known. */
export const PROPERTY_TYPES: Readonly<Record<ColumnKind, string>> = {
  int: 'Int',
  bigint: 'bigint',
  float: 'Float',
  decimal: 'Decimal',
  string: 'string',
  text: 'Text',
  boolean: 'boolean',
  date: 'Date',
  plainDate: 'PlainDate',
  plainTime: 'PlainTime',
  interval: 'Interval',
  json: 'Json<unknown>',
  bytes: 'Uint8Array',
  uuid: 'Uuid',
  enum: 'string',
  array: 'string[]',
  any: 'unknown',
};
const IMPORTED = new Set(['Int', 'Float', 'Decimal', 'PlainDate', 'PlainTime', 'Interval', 'Text', 'Uuid']);
/** Why a model cannot have what a name stands for. */
const WHY_NOT = 'a model cannot say its name; rename it, or have a view that names it otherwise';

/**
 * Model declarations of tables: columns, keys, unique and other indexes, checks, and relations from foreign keys.
 *
 * @param database - name of the database that the tables are of; left out for the one without a name
 */
export function declarationsOf(
  actual: readonly ActualTable[],
  dialect: Dialect,
  held: PulledValues = new Map(),
  database?: string,
): Pulled {
  const { tables, tablesAside, partsAside } = declarable(actual);
  const links = joinTables(tables, dialect);
  const known = tables.filter(({ name, columns }) => columns.length > 0 && !links.some((link) => link.name === name));
  const bare = tables.filter(({ columns }) => columns.length === 0);
  const names = classNames(known.map(({ name }) => name));
  return {
    models: known.map((table) =>
      new Declaration(table, known, links, names, dialect, partsAside.get(table.name) ?? [], held, database).write(),
    ),
    warnings: [
      ...tablesAside.map((name) => `the table ${inQuotes(name)} is left out: ${WHY_NOT}`),
      ...bare.map(({ name }) => `the table ${name} is left out: it has no column that a model can have`),
    ].map(onOneLine),
  };
}

/** What is said of a column's values. */
type Listed = Pick<ColumnDefinition, 'kind' | 'element' | 'values' | 'enumAs' | 'format'>;

class Declaration {
  readonly #imports = new Set<string>(['db', 'table']);
  readonly #models = new Map<string, string>();
  readonly #warnings: string[];
  readonly #properties: PropertyNames;
  /** Properties by their columns. */
  readonly #columns = new Map<string, string>();
  /** Checks that the types of columns say. */
  readonly #said = new Set<ActualCheck>();
  /** A model has one column that the database counts; others are generated. */
  readonly #counted: ActualColumn | undefined;

  /**
   * @param all - tables that models are written of
   * @param links - tables that only link others
   * @param names - class names by table
   * @param aside - what no model can declare, in words
   */
  constructor(
    private readonly table: ActualTable,
    private readonly all: readonly ActualTable[],
    private readonly links: readonly JoinTable[],
    private readonly names: ReadonlyMap<string, string>,
    private readonly dialect: Dialect,
    aside: readonly string[],
    private readonly held: PulledValues,
    private readonly database: string | undefined,
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
      ...this.links.flatMap((link) => this.#manyToMany(link)),
    ];
    if (table.primaryKey.length === 0 && table.view === undefined)
      this.#warnings.push(`${table.name} has no primary key; rows of it cannot be saved or removed`);
    this.#noteKey();
    const declared = `${this.#tableLine()}\nexport class ${name} {\n${members.join('\n\n')}\n}\n`;
    const warnings = this.#warnings.map(onOneLine);
    return {
      file: `${kebabCase(name)}.ts`,
      content: `${notes(warnings)}${this.#importLines(name)}\n${declared}`,
      warnings,
    };
  }

  // https://www.postgresql.org/docs/current/sql-insert.html (ON CONFLICT): no constraint that is deferrable decides.
  #noteKey(): void {
    const { name, primaryKeyName, primaryKeyClauses } = this.table;
    if (primaryKeyClauses === undefined) return;
    const upserts = primaryKeyClauses.includes('DEFERRABLE') ? ', and the database refuses upserts by it' : '';
    this.#warnings.push(
      `the primary key ${primaryKeyName} of ${name} says ${primaryKeyClauses}, which no model can say; it stays as it is${upserts}`,
    );
  }

  #tableLine(): string {
    const options = [
      ...(this.database === undefined ? [] : [`  database: '${this.database}',`]),
      ...this.#view(),
      ...(this.#lacksKey() ? ['  primaryKey: false,'] : []),
      ...(this.table.comment === undefined ? [] : [`  comment: ${quoted(this.table.comment)},`]),
      ...lines('checks: {', this.#checks(), '},'),
      // Indexes of a materialized view are left to the database.
      ...(this.table.view ? [] : lines('indexes: [', pulledIndexes(this.table, this.#columns, this.#warnings), '],')),
    ];
    return `@table(${quoted(this.table.name)}${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`;
  }

  // A materialized view cannot be declared by its query.
  #view(): readonly string[] {
    const { view, name } = this.table;
    if (view === undefined) return [];
    if (!view.kept) return [`  view: ${quoted(bareQuery(view.query))},`];
    this.#warnings.push(`${name} keeps the rows of its query (MATERIALIZED): migrations leave it as it is`);
    return ['  view: true,'];
  }

  // A column called id would be the key.
  #lacksKey(): boolean {
    const { primaryKey, columns, view } = this.table;
    return view === undefined && primaryKey.length === 0 && columns.some(({ name }) => name === 'id');
  }

  #checks(): readonly string[] {
    const { name, checks } = this.table;
    return checks.flatMap((check, at) =>
      this.#said.has(check) ? [] : [`${check.name || namedBy(name, [`check${at + 1}`])}: ${quoted(check.sql)},`],
    );
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
    const { labels, type: named, madeOf = named } = column;
    const isArray = labels !== undefined && madeOf.endsWith('[]');
    const { format, problem, isText = false, kind: heldKind } = this.held.get(column) ?? {};
    const native = heldKind ?? introspection.kindOf(madeOf) ?? (labels && (isArray ? 'array' : 'enum'));
    const kind = isText && native !== 'array' ? 'string' : native;
    if (kind === undefined) this.#warnings.push(`${place} has the type ${column.type}, which is read as text`);
    const of = kind === 'array' && !isText ? introspection.kindOf(madeOf.replace(/\[\]$/, '')) : undefined;
    const element = kind === 'array' ? (of ?? 'text') : undefined;
    const listed = this.#listed(column, { kind: kind ?? 'string', ...(element && { element }) });
    if (listed !== undefined) return listed;
    const type =
      element === undefined
        ? PROPERTY_TYPES[kind ?? 'string']
        : `${PROPERTY_TYPES[element]}${element === 'json' ? '[]' : brackets(column)}`;
    const imported = type.replaceAll('[]', '');
    if (IMPORTED.has(imported)) this.#imports.add(`type ${imported}`);
    if (kind === 'json' || element === 'json') this.#imports.add('type Json');
    const property = this.#properties.ofColumn(column.name);
    this.#columns.set(column.name, property);
    if (problem !== undefined)
      this.#warnings.push(
        `${place} ${problem}: write all in one, and say format= in its tag; until then reading it fails`,
      );
    const said = { kind: kind ?? 'string', ...(element && { element }), ...(format && { format }) };
    const tag = [taggedName(column), ...this.#options(column, said)].join(',');
    return `  @db(${quoted(tag)})\n  ${property}!: ${type}${column.nullable && type !== PROPERTY_TYPES.any ? ' | null' : ''};`;
  }

  // Of a column that is held to values, these are the type.
  #listed(column: ActualColumn, kind: Pick<ColumnDefinition, 'kind' | 'element'>): string | undefined {
    const around = { tables: this.all, dialect: this.dialect };
    const found = listedValues(column, kind, this.table, around);
    if (found === undefined) return undefined;
    const { values, options: said, check } = found;
    const isOfArray = kind.kind === 'array';
    const property = this.#properties.ofColumn(column.name);
    this.#columns.set(column.name, property);
    const native = said.includes('enum=native');
    const options = this.#options(column, {
      ...kindOfValues(values, isOfArray),
      values,
      ...(native && { enumAs: 'native' }),
    });
    const bare = [taggedName(column), ...options].join(',');
    const asked = check ? checkOption(bare, values, isOfArray, this.dialect) : [];
    if (check) this.#said.add(check);
    const at = options.findIndex((option) => /^(?:sql|generated)=/.test(option));
    const tag = [taggedName(column), ...options.toSpliced(at < 0 ? options.length : at, 0, ...said, ...asked)].join(
      ',',
    );
    return `  @db(${quoted(tag)})\n  ${property}!: ${unionOf(values, isOfArray ? brackets(column) : '', column.nullable)};`;
  }

  #options(column: ActualColumn, kind: Listed): string[] {
    const { primaryKey, indexes } = this.table;
    const own = taggedIndex(indexes, column.name);
    const isCounted = column === this.#counted;
    const type = this.#type(column, kind);
    const comment = this.#comment(column);
    // What fills the columns of a view is its query.
    if (this.table.view !== undefined)
      return [
        ...(kind.kind === 'any' && column.nullable ? ['nullable'] : []),
        ...(kind.format === undefined ? [] : [`format=${kind.format}`]),
        ...type.filter((option) => !option.startsWith('sql=')),
        ...comment,
        ...type.filter((option) => option.startsWith('sql=')),
      ];
    const computation = this.#computation(column);
    return [
      ...(primaryKey.includes(column.name) ? ['pk'] : []),
      ...(isCounted ? ['autoincrement'] : []),
      // The type of any value includes null, so nullability is declared by the tag.
      ...(kind.kind === 'any' && column.nullable ? ['nullable'] : []),
      ...(own === undefined ? [] : [own.unique ? 'unique' : 'index']),
      ...type.filter((option) => !option.startsWith('sql=')),
      ...(kind.format === undefined ? [] : [`format=${kind.format}`]),
      ...(isCounted || computation.length > 0 ? [] : this.#default(column, kind)),
      ...computation.filter((option) => option === 'virtual'),
      ...comment,
      // The last, because they take the rest of the tag.
      ...type.filter((option) => option.startsWith('sql=')),
      ...computation.filter((option) => option !== 'virtual'),
    ];
  }

  #comment({ name, comment }: ActualColumn): string[] {
    if (comment === undefined) return [];
    const option = `comment=${comment.replace(/,| $/g, '\\$&')}`;
    if (isTag(`pulled,${option}`) && parseDbTag(`pulled,${option}`, PULLED).comment === comment) return [option];
    this.#warnings.push(
      `${this.table.name}.${name} has the comment ${JSON.stringify(comment)}, which a tag cannot say`,
    );
    return [];
  }

  #computation(column: ActualColumn): string[] {
    const found = computationOf(column);
    if (found === undefined) return [];
    const said = [...(found.virtual ? ['virtual'] : []), `generated=${found.expression.trim()}`];
    if (isTag(`pulled,${said.join(',')}`)) return said;
    this.#warnings.push(`${this.table.name}.${column.name} is computed as ${found.expression}, which a tag cannot say`);
    return ['generated'];
  }

  // A type that its kind and size do not determine is declared as SQL.
  #type({ name, type }: ActualColumn, kind: Listed): string[] {
    if (kind.enumAs === 'native') return [];
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

  // Values that the database fills itself, or by an expression that the dialect does not know, are not declared.
  #default({ name, default: text, autoincrement, computed }: ActualColumn, kind: Listed): string[] {
    if (computed || autoincrement) return ['generated'];
    if (text === null || defaultMeaning(text, this.dialect.schema.introspection).is === 'none') return [];
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
    const waits = key.deferral === undefined ? [] : [`deferrable: '${/ DEFERRED$/.test(key.deferral) ? 'deferred' : 'immediate'}'`]; // prettier-ignore
    const beyond = [
      ...(key.match === undefined ? [] : [`MATCH ${key.match}`]),
      ...(key.setColumns === undefined
        ? []
        : [`ON DELETE ${key.onDelete.toUpperCase()} (${key.setColumns.join(', ')})`]),
    ];
    if (beyond.length > 0)
      this.#warnings.push(
        `the foreign key ${key.name} of ${this.table.name} says ${beyond.join(' and ')}, which no relation can say; it stays as it is`,
      );
    const said = [...actions, ...waits];
    const options = [...pointing(key), ...(said.length > 0 ? said : ['constraint: true'])].join(', ');
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

  #manyToMany({ name, ends: [first, second] }: JoinTable): string[] {
    const ways = [
      [first, second],
      [second, first],
    ] as const;
    return ways
      .filter(([own]) => own.table === this.table.name)
      .map(([own, other]) => {
        const target = this.names.get(other.table) as string;
        this.#use('manyToMany', 'ManyToMany', target);
        const [joinFk = '', joinRefFk = ''] = [own.columns[0], other.columns[0]];
        // Of a table that is linked to itself, the columns say which side is which.
        const wanted = own.table === other.table ? plural(joinRefFk.replace(/_id$/, '')) : other.table;
        const options = `join: ${quoted(name)}, joinFk: ${quoted(joinFk)}, joinRefFk: ${quoted(joinRefFk)}`;
        const property = this.#properties.ofRelation(wanted);
        return `  @manyToMany(() => ${target}, { ${options} })\n  ${property}?: ManyToMany<${target}>;`;
      });
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

// In a list of JSON a list is one value.
const brackets = ({ dimensions = 1 }: ActualColumn): string => '[]'.repeat(dimensions);

const PULLED = { model: 'Pulled', field: 'pulled' };

// The name at the beginning of a tag: quoted if it contains a comma, begins or ends with a space, or is a dash.
const taggedName = ({ name }: ActualColumn): string =>
  (name === '-' || /^\s|^\w+=/.test(name) ? `"${name.replaceAll('"', '""')}"` : name).replace(/,| $/g, '\\$&');

function isTag(tag: string): boolean {
  try {
    parseDbTag(tag, PULLED);
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
