import { camelCase, isIdentifier, kebabCase, singular, type ColumnKind, type Dialect } from '../core/index.js';
import type { ActualColumn, ActualForeignKey, ActualTable } from '../schema/introspect.js';

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

/** Model declarations of tables: columns, keys, unique and plain indexes, and relations from foreign keys. */
export function declarationsOf(tables: readonly ActualTable[], dialect: Dialect): readonly PulledModel[] {
  const names = new Map(tables.map((table) => [table.name, className(table.name)]));
  return tables
    .filter(({ name }) => isIdentifier(name))
    .map((table) => new Declaration(table, tables, names, dialect).write());
}

const className = (table: string): string => {
  const name = camelCase(singular(table.toLowerCase()));
  return name.charAt(0).toUpperCase() + name.slice(1);
};

class Declaration {
  readonly #imports = new Set<string>(['db', 'table']);
  readonly #models = new Map<string, string>();
  readonly #warnings: string[] = [];
  readonly #properties = new Set<string>();

  constructor(
    private readonly table: ActualTable,
    private readonly all: readonly ActualTable[],
    private readonly names: ReadonlyMap<string, string>,
    private readonly dialect: Dialect,
  ) {}

  write(): PulledModel {
    const { table } = this;
    const name = className(table.name);
    const members = [
      ...table.columns.flatMap((column) => this.#column(column)),
      ...table.foreignKeys.flatMap((key) => this.#belongsTo(key)),
      ...this.all.flatMap((other) =>
        other.foreignKeys.filter((key) => key.table === table.name).flatMap((key) => this.#hasMany(other, key)),
      ),
    ];
    if (table.primaryKey.length === 0)
      this.#warnings.push(`${table.name} has no primary key; rows of it cannot be saved or removed`);
    const content = `${this.#importLines(name)}\n@table('${table.name}')\nexport class ${name} {\n${members.join('\n\n')}\n}\n`;
    return { file: `${kebabCase(name)}.ts`, content, warnings: this.#warnings };
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
    const kind = this.dialect.schema.introspection.kindOf(column.type);
    if (kind === undefined) this.#warnings.push(`${place} has the type ${column.type}, which is read as text`);
    const type = TYPES[kind ?? 'any'];
    if (IMPORTED.has(type)) this.#imports.add(`type ${type}`);
    if (kind === 'json') this.#imports.add('type Json');
    const property = this.#free(camelCase(column.name));
    const tag = [column.name, ...this.#options(column)].join(',');
    return [`  @db('${tag}')\n  ${property}!: ${type}${column.nullable ? ' | null' : ''};`];
  }

  #options(column: ActualColumn): string[] {
    const { primaryKey, indexes } = this.table;
    const own = indexes.filter(({ columns }) => columns.length === 1 && columns[0] === column.name);
    const size = /^(?:n?varchar|character varying|n?char)\((\d+)\)/i.exec(column.type)?.[1];
    const numeric = /^(?:decimal|numeric)\((\d+),\s*(\d+)\)/i.exec(column.type);
    return [
      ...(primaryKey.includes(column.name) ? ['pk'] : []),
      ...(column.autoincrement ? ['autoincrement'] : []),
      ...(own.some(({ unique }) => unique) ? ['unique'] : own.length > 0 ? ['index'] : []),
      ...(size !== undefined && size !== '255' ? [`size=${size}`] : []),
      ...(numeric ? [`precision=${numeric[1]}`, `scale=${numeric[2]}`] : []),
      ...this.#default(column),
    ];
  }

  // Literals only: an expression belongs to the database, and a tag cannot hold a comma.
  #default({ name, default: text, autoincrement }: ActualColumn): string[] {
    if (text === null || autoincrement || text.toUpperCase() === 'NULL') return [];
    const bare = text
      .replace(/::[\w ."]+(\[\])?$/, '')
      .replace(/^\((.*)\)$/, '$1')
      .replace(/^\((.*)\)$/, '$1');
    const literal = /^N?'((?:[^']|'')*)'$/.exec(bare)?.[1]?.replaceAll("''", "'") ?? bare;
    if (/current_timestamp|now\(\)|sysutcdatetime|strftime/i.test(literal)) return ['default=now'];
    if (/^[\w .:-]+$/.test(literal)) return [`default=${literal}`];
    this.#warnings.push(`${this.table.name}.${name} has the default ${text}, which a tag cannot say`);
    return ['generated'];
  }

  #belongsTo({ table, columns, references }: ActualForeignKey): string[] {
    const target = this.names.get(table);
    const [column = ''] = columns;
    if (target === undefined || columns.length !== 1) return this.#skipped(columns, table);
    this.#use('belongsTo', 'BelongsTo', target);
    const property = this.#free(
      camelCase(column.replace(/_id$/, '') === column ? `${column}_row` : column.replace(/_id$/, '')),
    );
    return [
      `  @belongsTo(() => ${target}, { fk: '${column}', references: '${references[0]}' })\n  ${property}?: BelongsTo<${target}>;`,
    ];
  }

  #hasMany(other: ActualTable, { columns, references }: ActualForeignKey): string[] {
    const target = this.names.get(other.name);
    if (target === undefined || columns.length !== 1) return [];
    this.#use('hasMany', 'HasMany', target);
    const property = this.#free(camelCase(other.name));
    return [
      `  @hasMany(() => ${target}, { fk: '${columns[0]}', references: '${references[0]}' })\n  ${property}?: HasMany<${target}>;`,
    ];
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
