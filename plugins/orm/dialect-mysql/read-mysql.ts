import type { Connection, ConnectionOptions } from 'mysql2';
import { fwError, isFwError } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import {
  CONNECT_TIMEOUT_MS,
  type HiddenColumn,
  nameParts,
  nameText,
  ORM_ERRORS,
  type ReaderRequest,
  type ReaderSetup,
  type ReadRequest,
  type ReadRows,
  serverUrl,
  WatchedClient,
} from '../dialect/index.js';
import { type MysqlClient, streamOf } from './mysql-connection.js';
import { mysql } from './mysql-dialect.js';
import { mysqlError } from './mysql-errors.js';
import { text } from './mysql-schema.js';
import { EXAMPLE, loadDriver } from './open-mysql.js';

/** What a reading connection is made of. */
interface Settings {
  readonly url: string;
  readonly ssl?: ConnectionOptions['ssl'];
  readonly connectTimeout?: number | undefined;
}

/**
 * Runs one statement in a transaction that is READ ONLY, under a login that has no other right than to read
 * (https://dev.mysql.com/doc/refman/8.4/en/show-grants.html), and none to the hidden columns.
 *
 * @throws FwError `FW_ORM_READ_LOGIN`, `FW_ORM_READ_REFUSED` in the words of the server, `FW_ORM_CONNECTION`
 */
export async function readMysql(settings: Settings, request: ReadRequest): Promise<ReadRows> {
  const { ssl, connectTimeout = CONNECT_TIMEOUT_MS } = settings;
  const driver = await loadDriver();
  const connection = driver.createConnection({
    uri: serverUrl(request.login ?? settings.url, EXAMPLE, 'mariadb:', 'mysql2:').href,
    connectTimeout,
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
    charset: 'utf8mb4',
    ...(ssl !== undefined && { ssl }),
  });
  const watched: MysqlClient = new WatchedClient(connection, streamOf);
  try {
    await begin(watched, request, connectTimeout);
    // The server ends what takes too long. One that does not answer at all has as much time again as a connection.
    return await watched.within(request.timeoutMs + connectTimeout, () => read(connection, request));
  } finally {
    watched.destroy();
  }
}

/** Waits for an answer as long as for a connection. */
type Soon = <Result>(asked: () => Promise<Result>) => Promise<Result>;

async function begin(watched: MysqlClient, { hidden, timeoutMs }: ReadRequest, connectTimeout: number): Promise<void> {
  const { client: connection } = watched;
  const soon: Soon = (asked) => watched.within(connectTimeout, asked);
  try {
    await soon(() => answered<void>((done) => connection.connect(done)));
    await assertReads(connection, hidden, soon);
    await soon(() => limit(connection, timeoutMs));
    await soon(() => rows(connection, 'START TRANSACTION READ ONLY'));
  } catch (error) {
    throw isFwError(error) ? error : mysqlError(error, '');
  }
}

async function read(connection: Connection, { sql, maxRows }: ReadRequest): Promise<ReadRows> {
  try {
    // The server says what a statement is before it runs it: without columns it does something else than read.
    const prepared = await answered<{ readonly columns?: readonly unknown[] }>((done) =>
      connection.prepare(sql, done as never),
    );
    if ((prepared.columns?.length ?? 0) === 0)
      throw fwError(ORM_ERRORS.FW_ORM_READ_REFUSED, { reason: 'the statement gives no rows' });
    return await fetched(connection, sql, maxRows);
  } catch (error) {
    if (isFwError(error)) throw error;
    const { message, errno, sqlState } = error as Error & { readonly errno?: number; readonly sqlState?: string };
    // Not the server's own: the connection is lost.
    if (sqlState === undefined) throw mysqlError(error, '');
    const note = (errno === 1142 || errno === 1143) && message.startsWith('SELECT') ? notReadable() : '';
    throw fwError(ORM_ERRORS.FW_ORM_READ_REFUSED, { reason: `${message}${note}` }, { cause: error });
  }
}

const notReadable = () =>
  `; private columns are not readable: name the others; for a table that is new, run \`${fwCommand('db reader')}\` again`;

function fetched(connection: Connection, sql: string, maxRows: number): Promise<ReadRows> {
  return new Promise((resolve, reject) => {
    let columns: readonly string[] = [];
    const found: (readonly unknown[])[] = [];
    const command = connection.execute({ sql, rowsAsArray: true });
    command.on('error', reject);
    // A command without a callback is not told of a lost connection.
    connection.once('error', reject);
    command.on('fields', (fields: readonly { readonly name: string }[]) => (columns = fields.map(({ name }) => name)));
    command.on('result', (row: unknown) => {
      if (found.length === maxRows) resolve({ columns, rows: found, isCut: true });
      else if (Array.isArray(row)) found.push(row.map(plain));
    });
    command.on('end', () => resolve({ columns, rows: found, isCut: false }));
  });
}

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : value;

// MySQL and MariaDB have other names for it.
async function limit(connection: Connection, timeoutMs: number): Promise<void> {
  const [[version] = []] = await rows(connection, 'SELECT VERSION()');
  const isMariaDb = String(version).includes('MariaDB');
  await rows(connection, isMariaDb ? `SET SESSION max_statement_time = ${timeoutMs / 1000}` : `SET SESSION max_execution_time = ${timeoutMs}`); // prettier-ignore
}

const NAMES = /`(?:[^`]|``)*`|'(?:[^'\\]|''|\\.)*'/g;
const READS = /^(USAGE|SHOW VIEW|SELECT( \([`, ]*\))?)$/;

async function assertReads(connection: Connection, hidden: readonly HiddenColumn[], soon: Soon): Promise<void> {
  const login = (connection.config as { readonly user?: string }).user ?? 'the login';
  const refuse = (rights: string) => fwError(ORM_ERRORS.FW_ORM_READ_LOGIN, { login, rights });
  for (const [grant] of await soon(() => rows(connection, 'SHOW GRANTS'))) {
    const [, rights = '', target = '', rest = 'ROLE'] = /^GRANT (.+?) ON (\S+) TO (.*)$/.exec(String(grant).replace(NAMES, '`')) ?? []; // prettier-ignore
    const others = rights.split(/, (?![^(]*\))/).filter((right) => !READS.test(right));
    const isWide = target === '*.*' && rights !== 'USAGE';
    if (others.length > 0 || isWide || /WITH GRANT OPTION/.test(rest) || rest === 'ROLE')
      throw refuse(`it has ${isWide ? `${rights} on every database` : others.filter(Boolean).join(', ') || 'roles, or rights to grant'}`.slice(0, 200)); // prettier-ignore
  }
  const names: string[] = [];
  for (const each of hidden) if (await soon(() => isSeen(connection, each))) names.push(`${each.table}.${each.column}`);
  if (names.length > 0) throw refuse(`it sees private columns: ${names.slice(0, 5).join(', ')}`);
}

// The server decides: a table or column that is not there is seen by nobody.
async function isSeen(connection: Connection, { table, column }: HiddenColumn): Promise<boolean> {
  const sql = `SELECT ${quoted(column)} FROM ${quoted(table)} LIMIT 0`;
  return rows(connection, sql).then(
    () => true,
    (error: unknown) => {
      if ([1054, 1142, 1143, 1146].includes((error as { readonly errno?: number }).errno ?? 0)) return false;
      throw mysqlError(error, sql);
    },
  );
}

/** How a login is made that sees the given tables and columns, and nothing else. */
export function mysqlReader({ url }: { readonly url: string }, { tables, password }: ReaderRequest): ReaderSetup {
  const login = serverUrl(url, EXAMPLE, 'mariadb:', 'mysql2:');
  const database = decodeURIComponent(login.pathname.slice(1));
  // A name of a login has 32 characters.
  const name = `${database.slice(0, 25)}_reader`;
  login.username = encodeURIComponent(name);
  login.password = password;
  const user = `${text(name)}@'%'`;
  const grants = tables.map(({ name: table, columns }) => {
    const only = columns === undefined ? '' : ` (${columns.map(quoted).join(', ')})`;
    const whole =
      (nameParts(table)?.length ?? 1) > 1 ? quoted(table) : `${quoted(nameText(database))}.${quoted(table)}`;
    return `GRANT SELECT${only} ON ${whole} TO ${user}`;
  });
  return {
    login: login.href,
    statements: [
      `CREATE USER IF NOT EXISTS ${user} IDENTIFIED BY ${text(password)}`,
      `ALTER USER ${user} IDENTIFIED BY ${text(password)}`,
      `REVOKE ALL PRIVILEGES, GRANT OPTION FROM ${user}`,
      ...grants,
    ],
  };
}

const quoted = (name: string): string => mysql.compiler.quote(name);

const rows = (connection: Connection, sql: string): Promise<readonly (readonly unknown[])[]> =>
  answered((done) => connection.query({ sql, rowsAsArray: true }, done as never));

const answered = <Answer>(ask: (done: (error: unknown, answer: Answer) => void) => void): Promise<Answer> =>
  new Promise((resolve, reject) => ask((error, answer) => (error ? reject(error as Error) : resolve(answer))));
