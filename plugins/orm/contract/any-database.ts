import assert from 'node:assert/strict';
import { afterAll, test as jestTest } from '@jest/globals';
import {
  type Database,
  type Dialect,
  type ModelClass,
  type ModelInfo,
  open,
  type OpenOptions,
  type SqlHandle,
} from '../index.js';
import { createMissingTables } from '../schema/index.js';
import { standard } from './standard-dialect.js';
import type { TestDatabase } from './subject.js';
import { type AddressedDatabase, type TestableDialect, testableDialects } from './tested-dialects.js';

// Tests that do not depend on the database use the first available one.
const found = testableDialects.find(({ server }) => server === undefined || process.env[server.variable]);
const made: TestDatabase[] = [];
const { env } = process;

/** The dialect of {@link anyDatabase}. */
export const anyDialect: Dialect = found?.dialect ?? standard;

/** `test` for what needs a database, whichever: skipped where there is none, unless `FW_TEST_REQUIRE=all`. */
export const test = (
  found !== undefined || env['FW_TEST_REQUIRE'] === 'all' ? jestTest : jestTest.skip
) as typeof jestTest;

/** An empty database of {@link anyDialect}, which is dropped after the tests of the file. */
export async function anyDatabase(): Promise<SqlHandle> {
  const { createQuickly } = chosen();
  return createQuickly === undefined ? (await create()).handle : dropped(await createQuickly()).handle;
}

function chosen(): TestableDialect {
  const servers = testableDialects.flatMap(({ server }) => (server ? [`${server.variable} to ${server.hint}`] : []));
  assert(found, `These tests need a database: set ${servers.join(', or ')}.`);
  return found;
}

async function create(): Promise<AddressedDatabase> {
  const { server, create: make } = chosen();
  return dropped(await make(env[server?.variable ?? ''] ?? ''));
}

function dropped<Made extends TestDatabase>(database: Made): Made {
  made.push(database);
  return database;
}

/** Options of `fw/orm` for an application under test: a database of {@link anyDialect}, empty like {@link anyDatabase}. */
export async function anyOptions(): Promise<{ driver: string; url?: string; file?: string }> {
  const { name, address } = chosen().facts;
  return address.inTests === undefined ? lastingOptions() : { driver: name, [address.option]: address.inTests };
}

/** {@link anyOptions} for a database that outlives the application. */
export async function lastingOptions(): Promise<{ driver: string; url?: string; file?: string }> {
  const { name, address } = chosen().facts;
  return { driver: name, [address.option]: (await create()).address };
}

/** {@link anyDatabase}, opened, with the tables of models. */
export async function openAny(
  models: readonly (ModelClass | ModelInfo)[],
  ...options: OpenOptions[]
): Promise<Database> {
  const db = open(await anyDatabase(), anyDialect, ...options);
  await createMissingTables(db, models);
  return db;
}

afterAll(async () => {
  for (const { drop } of made.splice(0)) await drop();
}, 240_000);
