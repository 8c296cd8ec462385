import { randomBytes } from 'node:crypto';
import type { SqlHandle } from '../index.js';
import { openMysql } from '../dialect-mysql/index.js';
import { openPostgres } from '../dialect-postgres/index.js';
import type { TestDatabase } from './dialect.contract.js';

export const POSTGRES = {
  variable: 'FW_TEST_POSTGRES',
  hint: 'a PostgreSQL whose user may create databases, e.g. postgres://postgres@127.0.0.1:5432/postgres',
};
export const MYSQL = {
  variable: 'FW_TEST_MYSQL',
  hint: 'a MySQL or MariaDB whose user may create databases, e.g. mysql://root@127.0.0.1:3306/mysql',
};

/** A database on a server, with its address. */
export interface ServerDatabase extends TestDatabase {
  readonly url: string;
}

/** A PostgreSQL database that nobody else uses. */
export const postgresDatabase = (url: string): Promise<ServerDatabase> => testDatabase(url, openPostgres, '"');

/** A MySQL or MariaDB database that nobody else uses. */
export const mysqlDatabase = (url: string): Promise<ServerDatabase> => testDatabase(url, openMysql, '`');

async function testDatabase(
  url: string,
  open: (url: string) => Promise<SqlHandle>,
  quote: string,
): Promise<ServerDatabase> {
  const name = `fw_test_${randomBytes(6).toString('hex')}`;
  const own = new URL(url);
  own.pathname = `/${name}`;
  await onServer(url, open, `CREATE DATABASE ${quote}${name}${quote}`);
  const handle = await open(own.href);
  return {
    handle,
    url: own.href,
    async drop() {
      await handle.close();
      await onServer(url, open, `DROP DATABASE ${quote}${name}${quote}`);
    },
  };
}

async function onServer(url: string, open: (url: string) => Promise<SqlHandle>, sql: string): Promise<void> {
  const server = await open(url);
  await Promise.resolve(server.script(sql)).finally(() => server.close());
}
