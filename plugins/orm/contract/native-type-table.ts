import type { ColumnKind, Dialect, NativeType } from '../core/index.js';
import { PROPERTY_TYPES } from '../db-pull/declarations.js';

/** A column of the table: a server, and the dialect that is for it. */
interface Server {
  readonly title: string;
  readonly dialect: string;
  /** As rows call it that not every server of the dialect has. */
  readonly name: string;
}

// What the tests run against has a title without a remark.
const SERVERS: readonly Server[] = [
  { title: 'PostgreSQL', dialect: 'postgres', name: 'PostgreSQL' },
  { title: 'MariaDB', dialect: 'mysql', name: 'MariaDB' },
  { title: 'MySQL 8 (not run here)', dialect: 'mysql', name: 'MySQL 8' },
  { title: 'SQLite', dialect: 'sqlite', name: 'SQLite' },
  { title: 'SQL Server (not run here)', dialect: 'sqlserver', name: 'SQL Server' },
];

const PROPERTIES: Readonly<Record<ColumnKind, string>> = {
  ...PROPERTY_TYPES,
  json: 'Json',
  enum: 'union',
  array: 'array',
};

/** The types of all databases as Markdown, for docs/reference/dialects.md. */
export function nativeTypePage(dialects: readonly Dialect[]): readonly string[] {
  const servers = SERVERS.filter(({ dialect }) => dialects.some(({ name }) => name === dialect));
  const columns = servers.map((server) => typesOf(server, dialects));
  const names = [...new Set(columns.flatMap((types) => [...types.keys()]))];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '## Native types',
    '',
    'What `fw db pull` makes of each type that a database has by itself, and what a property must be to hold all of its values. Each is read,',
    'written back and found by `eq` with nothing lost, if no note says otherwise: tests do it with a column of each type on real servers. What is',
    '`string` is the text that the database writes. MySQL 8 and SQL Server are compiled for and not run here. An array of PostgreSQL is an array',
    'of what its elements are (`box[]` is `string`), its lower bounds are not kept; an enum is a union of its values, a domain what it is made of,',
    'and a type of an extension or of the schema its text.',
    '',
    line(['Type', ...servers.map(({ title }) => title)]),
    line(['---', ...servers.map(() => '---')]),
    ...names.map((name) => line([`\`${name || ' '}\``, ...columns.map((types) => cellOf(types.get(name)))])),
    '',
  ];
}

function typesOf({ dialect, name }: Server, dialects: readonly Dialect[]): ReadonlyMap<string, NativeType> {
  const { nativeTypes } = (dialects.find((each) => each.name === dialect) as Dialect).schema.introspection;
  const own = nativeTypes.filter(({ of }) => of?.includes(name) ?? true);
  return new Map(own.map((native) => [native.type.toLowerCase(), native]));
}

function cellOf(native: NativeType | undefined): string {
  if (native === undefined) return '';
  const { type, kind, compared, written } = native;
  const notes = [
    ...(compared === undefined ? [] : [`\`eq\`: ${compared}`]),
    ...(written === undefined ? [] : [`written: ${written}`]),
  ];
  const property = type === 'enum' ? PROPERTIES.enum : PROPERTIES[kind];
  return `\`${property}\`${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}
