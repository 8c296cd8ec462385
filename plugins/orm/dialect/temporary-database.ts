import { randomBytes } from 'node:crypto';
import { fwError } from '../../../kernel/index.js';
import { identityOf, livenessOf, ownIdentity } from '../../../kernel/fs/index.js';
import { type Dialect, ORM_ERRORS, type SqlHandle } from '../core/index.js';
import { addressUrl } from '../core/session/server-url.js';

/** A database that one start of an application has for itself. */
export interface TemporaryDatabase {
  readonly handle: SqlHandle;
  /** Removes it from the server; its handle is closed before. */
  drop(): Promise<void>;
}

/** What {@link temporaryDatabase} needs. */
interface TemporaryRequest {
  /** Address of the database beside which the new one is made. */
  readonly url: string;
  readonly dialect: Dialect;
  open(url: string): Promise<SqlHandle>;
}

/** Letters of the name beside which it is made; servers take 63 in all. */
const MOST_OF_NAME = 30;
const MACHINE_LETTERS = 6;

/**
 * Makes a database of its own on the server of another one: `<name>_test_<machine>_<process>_<number>`. Those that processes of this
 * machine have left behind, because they were ended in the middle of a test, are removed before.
 *
 * @throws FwError `FW_ORM_TEMPORARY_DATABASE`, `FW_ORM_CONNECTION`
 */
export async function temporaryDatabase({ url, dialect, open }: TemporaryRequest): Promise<TemporaryDatabase> {
  const list = dialect.schema.listDatabases;
  const beside = nameIn(url);
  const refuse = (problem: string, cause?: unknown) =>
    fwError(ORM_ERRORS.FW_ORM_TEMPORARY_DATABASE, { database: beside ?? dialect.name, problem }, { cause });
  if (list === undefined) throw refuse(`the dialect ${dialect.name} makes none`);
  if (beside === undefined) throw refuse('its address names no database in a path');
  // Letters that no dialect has to quote, and none folds.
  const prefix = `${beside.toLowerCase().replace(/[^a-z0-9]+/g, '_').slice(0, MOST_OF_NAME)}_test_`; // prettier-ignore
  const name = `${prefix}${mark(process.pid)}_${randomBytes(3).toString('hex')}`;
  await onServer(url, open, async (server) => {
    for (const [left] of await server.query(list, []))
      if (isLeft(String(left), prefix)) await server.script(`DROP DATABASE IF EXISTS ${left}`);
    try {
      await server.script(`CREATE DATABASE ${name}`);
    } catch (error) {
      throw refuse((error as Error).message, error);
    }
  });
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    handle: await open(own.href),
    drop: () => onServer(url, open, async (server) => server.script(`DROP DATABASE ${name}`)),
  };
}

const mark = (pid: number): string => `${ownIdentity().machine.slice(0, MACHINE_LETTERS)}_${pid}`;

// A number that is in use may be another process's by now: its database stays until the number is free.
function isLeft(name: string, prefix: string): boolean {
  const [, pid, number] = /_(\d+)_([0-9a-f]{6})$/.exec(name) ?? [];
  const isOurs = name === `${prefix}${mark(Number(pid))}_${number}`;
  return isOurs && livenessOf(identityOf(Number(pid))) === 'dead';
}

function nameIn(url: string): string | undefined {
  const pathname = URL.canParse(url) ? addressUrl(url).pathname : '';
  return decodeURIComponent(pathname.slice(1)) || undefined;
}

async function onServer(
  url: string,
  open: (url: string) => Promise<SqlHandle>,
  run: (server: SqlHandle) => Promise<void> | void,
): Promise<void> {
  const server = await open(url);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}
