import type { ColumnKind, Dialect, NativeType } from '../core/index.js';
import { PROPERTY_TYPES } from '../db-pull/declarations.js';
import { remarksOf } from './dialect-remarks.js';

/** A column of the table: a server, and the dialect that is for it. */
interface Server {
  readonly title: string;
  readonly dialect: Dialect;
  /** As rows call it that not every server of the dialect has. */
  readonly name: string;
}

function serversOf(dialect: Dialect): readonly Server[] {
  const { dialect: title } = dialect.capabilities;
  const { servers = [{ title, name: title }] } = remarksOf(dialect);
  return servers.map((server) => ({ ...server, dialect }));
}

const PROPERTIES: Readonly<Record<ColumnKind, string>> = {
  ...PROPERTY_TYPES,
  json: 'Json',
  enum: 'union',
  array: 'array',
};

/** The types of all databases as Markdown, for docs/reference/dialects.md. */
export function nativeTypePage(dialects: readonly Dialect[]): readonly string[] {
  const servers = dialects.flatMap(serversOf);
  const columns = servers.map(typesOf);
  const names = [...new Set(columns.flatMap((types) => [...types.keys()]))];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '## Native types',
    '',
    'What `fw db pull` makes of each type that a database has by itself, and what a property must be to hold all of its values. Each is read,',
    'written back and found by `eq` with nothing lost, if no note says otherwise: tests do it with a column of each type on real servers. What is',
    '`string` is the text that the database writes. An array of a database that has arrays is an array',
    'of what its elements are (`box[]` is `string`), its lower bounds are not kept; an enum is a union of its values, a domain what it is made of,',
    'and a type of an extension or of the schema its text.',
    '',
    line(['Type', ...servers.map(({ title }) => title)]),
    line(['---', ...servers.map(() => '---')]),
    ...names.map((name) => line([`\`${name || ' '}\``, ...columns.map((types) => cellOf(types.get(name)))])),
    '',
  ];
}

function typesOf({ dialect, name }: Server): ReadonlyMap<string, NativeType> {
  const { nativeTypes } = dialect.schema.introspection;
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
