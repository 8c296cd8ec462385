import { randomBytes } from 'node:crypto';
import { fwError } from '../../../kernel/errors/index.js';
import { changesIn } from '../../../kernel/fs/index.js';
import { type DatabaseOptions, withDatabase } from '../commands/with-database.js';
import { type DatabaseHandle, ORM_ERRORS } from '../core/index.js';
import {
  DEFAULT_DATABASE,
  type HiddenColumn,
  type ReadableTable,
  type ReaderSetup,
  type ReadRows,
} from '../dialect/index.js';
import { modelsOf } from '../model-databases.js';
import { type ActualTable, introspect } from '../schema/index.js';
import { assertHere, developmentDatabase, presentDatabase } from './development.js';

/** What is read, and how much of it. */
export interface ReadOptions extends DatabaseOptions {
  readonly sql: string;
  readonly maxRows: number;
  readonly timeoutMs: number;
}

/**
 * Runs one statement on a database of development, which refuses it itself where it does more than read, or reads a private column.
 *
 * @throws FwError `FW_ORM_DEVELOPMENT`, `FW_ORM_READ_DIALECT`, `FW_ORM_READ_LOGIN`, `FW_ORM_READ_REFUSED`
 */
export async function readDatabase({ sql, maxRows, timeoutMs, ...options }: ReadOptions): Promise<ReadRows> {
  const { source, name } = await presentDatabase(options);
  if (source.read === undefined) throw fwError(ORM_ERRORS.FW_ORM_READ_DIALECT, { dialect: source.dialect.name });
  const variable = loginVariable(name);
  const login = process.env[variable];
  if (login) assertHere({ url: login }, process.env, variable);
  return source.read({ sql, maxRows, timeoutMs, hidden: hiddenOf(name), login: login || undefined });
}

/** Variable with the address whose login only reads: `DATABASE_READER_URL`, of a database with a name `..._REPORTS`. */
const loginVariable = (name: string): string =>
  `DATABASE_READER_URL${name === DEFAULT_DATABASE ? '' : `_${name.toUpperCase().replaceAll('-', '_')}`}`;

const hiddenOf = (name: string): readonly HiddenColumn[] =>
  modelsOf(name).flatMap(({ table, columns }) =>
    columns.flatMap((column) => (column.hidden ? [{ table, column: column.name }] : [])),
  );

/** A table as whoever reads wants to know it. */
export interface ReadTable {
  readonly name: string;
  readonly view?: true;
  readonly columns: readonly string[];
  readonly keys?: readonly string[];
}

/**
 * The tables and views of a database of development, each column in a line: `id integer, key`.
 *
 * @throws FwError `FW_ORM_DEVELOPMENT`
 */
export async function readSchema(
  options: DatabaseOptions,
  only: readonly string[] = [],
): Promise<readonly ReadTable[]> {
  const { name } = await presentDatabase(options);
  const hidden = new Set(hiddenOf(name).map(({ table, column }) => `${table}\n${column}`));
  return opened(options, async (db) => {
    const tables = await introspect(
      db,
      modelsOf(name).map(({ table }) => table),
    );
    return tables.filter((table) => only.length === 0 || only.includes(table.name)).map((table) => told(table, hidden));
  });
}

function told(table: ActualTable, hidden: ReadonlySet<string>): ReadTable {
  const columns = table.columns.map(({ name, type, nullable, default: fallback, computed }) => {
    const words = [
      table.primaryKey.includes(name) && 'key',
      nullable && 'null',
      computed && 'computed',
      fallback !== null && !computed && `default ${fallback}`,
      hidden.has(`${table.name}\n${name}`) && 'private: not readable',
    ].filter((word) => word !== false);
    return [`${name} ${type}`.trim(), ...words].join(', ');
  });
  const keys = [
    ...table.foreignKeys.map((key) => `(${key.columns.join(', ')}) -> ${key.table}(${key.references.join(', ')})`),
    ...table.indexes.map(indexInWords),
  ];
  return { name: table.name, ...(table.view && { view: true }), columns, ...(keys.length > 0 && { keys }) };
}

/** A login that only reads, as it was made or is to be. */
interface MadeReader extends ReaderSetup {
  readonly variable: string;
}

/**
 * Makes a login that sees what is not private of the tables that are there, and nothing else, and puts its address into `.env.local`; for a
 * database of development.
 *
 * @param print - whether it only says what it would do
 * @throws FwError `FW_ORM_DEVELOPMENT`, `FW_ORM_READ_DIALECT`, and what the database says
 */
export async function makeReader(options: DatabaseOptions, print: boolean): Promise<MadeReader> {
  const { source, name, loaded } = await developmentDatabase(options);
  if (source.reader === undefined) throw fwError(ORM_ERRORS.FW_ORM_READ_DIALECT, { dialect: source.dialect.name });
  const hidden = hiddenOf(name);
  const setup = await opened(options, async (db) => {
    const tables = await introspect(
      db,
      modelsOf(name).map(({ table }) => table),
    );
    const password = randomBytes(24).toString('base64url');
    const made = await source.reader?.({ password, tables: tables.map((table) => readable(table, hidden)) });
    for (const statement of print ? [] : (made?.statements ?? [])) await db.handle.script(statement);
    return made as ReaderSetup;
  });
  const variable = loginVariable(name);
  if (!print) await setVariable(loaded.root, variable, setup.login);
  return { ...setup, variable };
}

function readable({ name, columns }: ActualTable, hidden: readonly HiddenColumn[]): ReadableTable {
  const own = hidden.filter(({ table }) => table === name).map(({ column }) => column);
  if (own.length === 0) return { name };
  return { name, columns: columns.map((column) => column.name).filter((column) => !own.includes(column)) };
}

const FILE = '.env.local';

async function setVariable(root: string, variable: string, value: string): Promise<void> {
  const { changes, folder } = await changesIn(root, root);
  const file = `${folder}/${FILE}`;
  const before = String((await changes.read(file)) ?? '');
  const lines = before.split('\n').filter((line) => line !== '' && !line.startsWith(`${variable}=`));
  await changes.write(file, [...lines, `${variable}=${value}`, ''].join('\n'));
  await changes.commit();
}

const opened = <Result>(options: DatabaseOptions, work: (db: DatabaseHandle) => Promise<Result>): Promise<Result> =>
  withDatabase(options, { progress: (_, run) => run(() => undefined), doing: 'reading' }, work);

/** An index in a line. What it leaves out counts as much as its columns: `unique index (book_id) where returned_at IS NULL`. */
export function indexInWords({ unique, columns, written }: ActualTable['indexes'][number]): string {
  const { parts = columns, where } = written ?? {};
  return `${unique ? 'unique ' : ''}index (${parts.join(', ')})${where === undefined ? '' : ` where ${where}`}`;
}
