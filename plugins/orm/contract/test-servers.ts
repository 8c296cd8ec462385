import { randomBytes } from 'node:crypto';
import type { SqlHandle } from '../index.js';
import type { TestDatabase } from './subject.js';

/** A database on a server, with its address. */
export interface ServerDatabase extends TestDatabase {
  readonly address: string;
}

/**
 * A database that nobody else uses, on a server.
 *
 * @param url - address of the server, with a user who may create databases
 * @param quote - what stands around names
 */
export async function serverDatabase(
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
    address: own.href,
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
