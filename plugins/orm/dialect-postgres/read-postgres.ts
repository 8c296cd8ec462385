import type { Client, ClientConfig, DatabaseError, QueryArrayConfig } from 'pg';
import { fwError, isFwError } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import {
  CONNECT_TIMEOUT_MS,
  type HiddenColumn,
  nameParts,
  nameText,
  ORM_ERRORS,
  quotedText,
  type ReaderRequest,
  type ReaderSetup,
  type ReadRequest,
  type ReadRows,
  serverUrl,
  WatchedClient,
} from '../dialect/index.js';
import { EXAMPLE, loadDriver } from './open-postgres.js';
import { endOf, type PostgresClient, streamOf } from './postgres-connection.js';
import { postgres } from './postgres-dialect.js';
import { postgresError } from './postgres-errors.js';

/** What a reading connection is made of. */
interface Settings {
  readonly url: string;
  readonly ssl?: ClientConfig['ssl'];
  readonly connectTimeout?: number | undefined;
}

/**
 * Runs one statement in a transaction that is READ ONLY (https://www.postgresql.org/docs/current/sql-set-transaction.html), under a login
 * that is no superuser, has no right to files of the server, and does not see the hidden columns; any role that it is a member of counts,
 * since a statement can take it on.
 *
 * @throws FwError `FW_ORM_READ_LOGIN`, `FW_ORM_READ_REFUSED` in the words of the server, `FW_ORM_CONNECTION` also for a server that gives no
 *   answer
 */
export async function readPostgres(settings: Settings, request: ReadRequest): Promise<ReadRows> {
  const { ssl, connectTimeout = CONNECT_TIMEOUT_MS } = settings;
  const { Client: Made, types } = await loadDriver();
  const watched: PostgresClient = new WatchedClient(
    new Made({
      connectionString: request.login ?? settings.url,
      connectionTimeoutMillis: connectTimeout,
      ...(ssl !== undefined && { ssl }),
    }),
    streamOf,
  );
  const { client } = watched;
  const parserOf = (oid: number) => (READ_BY_DRIVER.has(oid) ? types.getTypeParser(oid) : String);
  try {
    await begin(watched, request, connectTimeout);
    // The server ends what takes too long. One that does not answer at all has as much time again as a connection.
    const found = await watched.within(request.timeoutMs + connectTimeout, () => rowsOf(client, request, parserOf));
    await endOf(watched);
    return found;
  } finally {
    watched.destroy();
  }
}

// The time that the caller gives is for the statement: what is asked before it may take as long as a connection may.
async function begin(watched: PostgresClient, { hidden, timeoutMs }: ReadRequest, connectTimeout: number) {
  const { client } = watched;
  const soon = <Result>(asked: () => Promise<Result>) => watched.within(connectTimeout, asked);
  // Poolers refuse it as a parameter of the connection (https://www.pgbouncer.org/config.html#ignore_startup_parameters).
  const limit = (ms: number) => soon(() => client.query(`SET LOCAL statement_timeout = ${Math.ceil(ms)}`));
  try {
    await soon(() => client.connect());
    await soon(() => client.query('BEGIN READ ONLY'));
    await limit(connectTimeout);
    await watched.within(2 * connectTimeout, () => assertReads(client, hidden));
    await limit(timeoutMs);
  } catch (error) {
    throw isFwError(error) ? error : postgresError(error, '');
  }
}

// bool, int2, int4, oid, float4, float8; everything else stays the text of the server, which is exact.
const READ_BY_DRIVER: ReadonlySet<number> = new Set([16, 21, 23, 26, 700, 701]);

async function rowsOf(client: Client, { sql, maxRows }: ReadRequest, getTypeParser: (oid: number) => unknown) {
  // With a name it is parsed by itself, and a second statement behind it refused by the server
  // (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY).
  const run = (text: string) =>
    client.query({ name: `fw_read_${text.length}`, text, rowMode: 'array', types: { getTypeParser } } as QueryArrayConfig); // prettier-ignore
  try {
    // Plans and settings have no cursor; of everything else no more is fetched than is wanted.
    const isWhole = /^\s*(explain|show)\b/i.test(sql);
    if (!isWhole) await run(`DECLARE fw_read NO SCROLL CURSOR FOR ${sql}`);
    const { fields, rows } = await run(isWhole ? sql : `FETCH ${maxRows + 1} FROM fw_read`);
    const columns = fields.map(({ name }) => name);
    return { columns, rows: rows.slice(0, maxRows) as unknown[][], isCut: rows.length > maxRows };
  } catch (error) {
    const { message, hint, code, severity } = error as Partial<DatabaseError>;
    // Not the server's own: the connection is lost.
    if (severity === undefined) throw postgresError(error, '');
    const notes = [
      code === '42501' && / table /.test(message ?? '') && notReadable(),
      // A cursor is of a query: anything else is a mistake at its first word.
      code === '42601' && !QUERY.test(sql) && 'only a query is read: SELECT, WITH, VALUES, TABLE, EXPLAIN or SHOW',
    ];
    const said = [message, hint, ...notes].filter(Boolean).join('; ');
    throw fwError(ORM_ERRORS.FW_ORM_READ_REFUSED, { reason: said }, { cause: error });
  }
}

const QUERY = /^\s*(?:select|with|values|table|\()/i;

const notReadable = () =>
  `private columns are not readable: name the others; for a table that is new, run \`${fwCommand('db reader')}\` again`;

// A role of another name counts as well: SET ROLE and set_config('role', ...) take it on in the middle of a statement.
const RIGHTS = `SELECT rolname::text, rolsuper FROM pg_roles
  WHERE (rolsuper OR rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
    AND pg_has_role(session_user, oid, 'MEMBER')
  UNION ALL SELECT 'the function ' || proname, false FROM pg_proc
  WHERE proname IN ('pg_read_file', 'pg_read_binary_file', 'pg_ls_dir', 'lo_import', 'lo_export')
    AND EXISTS (SELECT FROM pg_roles r WHERE pg_has_role(session_user, r.oid, 'MEMBER') AND has_function_privilege(r.oid, pg_proc.oid, 'EXECUTE'))`;
const SEEN = `SELECT h.name FROM unnest($1::text[], $2::text[], $3::text[]) AS h(name, tab, col)
  JOIN pg_attribute a ON a.attrelid = to_regclass(h.tab) AND a.attname = h.col
  WHERE EXISTS (SELECT FROM pg_roles r WHERE pg_has_role(session_user, r.oid, 'MEMBER')
    AND has_column_privilege(r.oid, a.attrelid, a.attnum, 'SELECT'))`;

async function assertReads(client: Client, hidden: readonly HiddenColumn[]): Promise<void> {
  const { rows } = await client.query<{ readonly rolname: string; readonly rolsuper: boolean }>(RIGHTS);
  const login = client.user ?? 'the login';
  const refuse = (rights: string) => fwError(ORM_ERRORS.FW_ORM_READ_LOGIN, { login, rights });
  if (rows.some(({ rolsuper }) => rolsuper)) throw refuse('it is a superuser, or may become one');
  if (rows.length > 0)
    throw refuse(
      `it reaches files of the server by ${rows
        .map(({ rolname }) => rolname)
        .slice(0, 3)
        .join(', ')}`,
    );
  const parameters = [
    hidden.map(({ table, column }) => `${table}.${column}`),
    hidden.map(({ table }) => postgres.compiler.quote(table)),
    hidden.map(({ column }) => nameParts(column)?.at(-1) ?? column),
  ];
  const seen = await client.query<{ readonly name: string }>(SEEN, parameters);
  if (seen.rows.length > 0) throw refuse(`it sees private columns: ${seen.rows.map(({ name }) => name).slice(0, 5).join(', ')}`); // prettier-ignore
}

/** How a login is made that sees the given tables and columns, and nothing else. */
export function postgresReader({ url }: { readonly url: string }, { tables, password }: ReaderRequest): ReaderSetup {
  // The folder of a socket has no place for a login.
  const login = serverUrl(url, EXAMPLE, 'postgresql:', 'socket:');
  const name = `${decodeURIComponent(login.pathname.slice(1)) || 'database'}_reader`;
  login.username = encodeURIComponent(name);
  login.password = password;
  const role = postgres.compiler.quote(nameText(name));
  const can = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
  const grants = tables.map(({ name: table, columns }) => {
    const only =
      columns === undefined ? '' : ` (${columns.map((column) => postgres.compiler.quote(column)).join(', ')})`;
    return `GRANT SELECT${only} ON ${postgres.compiler.quote(table)} TO ${role}`;
  });
  return {
    login: login.href,
    statements: [
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${quotedText(name)}) THEN CREATE ROLE ${role} LOGIN; END IF; END $$`,
      `ALTER ROLE ${role} WITH ${can} PASSWORD ${quotedText(password)}`,
      `DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), ${quotedText(name)}); EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I', current_schema(), ${quotedText(name)}); END $$`,
      ...grants,
    ],
  };
}
