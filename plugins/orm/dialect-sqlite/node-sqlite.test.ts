import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plugin } from '../../../kernel/index.js';
import { bootTestApp } from '../../../kernel/testing/index.js';
import { callLimitsContract } from '../contract/call-limits.contract.js';
import { dialectSuite, runCells } from '../contract/index.js';
import { Database } from '../core/index.js';
import { openSqlite, sqlite, type SqliteHandle } from './index.js';
import { nodeSqlite } from './node-sqlite.js';
import { inFileThrough, testedSqlite } from './testing/sqlite-databases.js';

// Which releases have it is decided by Node, not by what is installed.
const [major = 0] = process.versions.node.split('.').map(Number);
const hasModule = major >= 24;

const inFile = () => inFileThrough('node:sqlite');
async function inMemory() {
  const handle = await openSqlite(':memory:', { client: 'node:sqlite' });
  return { handle, drop: () => handle.close() };
}

// No need of the machine: other releases are tested as well, and have no such module.
if (!hasModule) test.skip(`node:sqlite: Node ${process.versions.node} is before 24`, () => undefined);
else {
  dialectSuite({ ...testedSqlite, name: 'SQLite in a file through node:sqlite', create: inFile });
  callLimitsContract({ name: 'SQLite in a file through node:sqlite', dialect: sqlite, create: inFile });
  runCells({ ...testedSqlite, name: 'SQLite in memory through node:sqlite', create: inMemory }, [
    'queries, relations, keys and transactions',
    'kinds of values and null',
  ]);
}

test.each([
  ['has none', () => undefined],
  ['has one without what is used', () => ({ StatementSync: class {} })],
])('a Node that %s is told, with those that serve', (_, builtin) => {
  expect(() => nodeSqlite(builtin)).toThrow(
    expect.objectContaining({ code: 'FW_ORM_DRIVER_MISSING', message: expect.stringContaining('run Node 24') }),
  );
});

test('only clients that there are can be named', async () => {
  await expect(openSqlite(':memory:', { client: 'sql.js' as never })).rejects.toMatchObject({
    code: 'FW_ORM_OPTIONS',
    message: expect.stringContaining('better-sqlite3, node:sqlite'),
  });
});

test('better-sqlite3 is what is used unless something else is named, and the handle says so', async () => {
  const handle = await openSqlite(':memory:');
  expect(handle.about).toEqual({ driver: 'better-sqlite3', version: expect.stringMatching(/^3\.\d+\.\d+$/) });
  await handle.close();
});

const clients = hasModule ? (['better-sqlite3', 'node:sqlite'] as const) : (['better-sqlite3'] as const);

describe.each(clients)('values through %s', (client) => {
  let handle: SqliteHandle<unknown>;
  beforeAll(async () => {
    handle = await openSqlite(':memory:', { client });
  });
  afterAll(() => handle.close());

  const query = async (sql: string, parameters: readonly unknown[], exact = false) =>
    handle.query(sql, parameters, { bigints: exact });

  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ['SELECT typeof(?), ? || ?', [1, 1, 'x'], ['real', '1.0x']],
    ['SELECT typeof(?)', [2n ** 40n], ['integer']],
    ['SELECT ?, ?, ?', [1.5, null, undefined], [1.5, null, null]],
    ['SELECT ?, ?', [Buffer.from('bytes'), new Uint8Array([1])], [Buffer.from('bytes'), Buffer.from([1])]],
    ['SELECT 9007199254740993, 1', [], [9007199254740992, 1]],
    ['VALUES (9007199254740993)', [], [9007199254740992]],
    ['SELECT 1; -- that is all', [], [1]],
    ['SELECT 1 /* it */ ; /* is */', [], [1]],
  ])('%s of %j', async (sql, parameters, row) => {
    expect(await query(sql, parameters)).toEqual([row]);
  });

  test.each<[string, readonly unknown[]]>([
    ['SELECT ?', [true]],
    ['SELECT ?', [new Date(0)]],
    ['SELECT ?', [{ a: 1 }]],
    ['SELECT 1; SELECT 2', []],
    ['-- nothing', []],
  ])('%s of %j is refused', async (sql, parameters) => {
    await expect(query(sql, parameters)).rejects.toMatchObject({ code: 'FW_ORM_DATABASE' });
  });

  test('whole numbers are exact where bigints are wanted, whatever was read before', async () => {
    const sql = 'SELECT 9007199254740993, 1';
    expect(await query(sql, [])).toEqual([[9007199254740992, 1]]);
    expect(await query(sql, [], true)).toEqual([[9007199254740993n, 1n]]);
    expect(await query(sql, [])).toEqual([[9007199254740992, 1]]);
  });

  test('a write that answers with a number that is too large is done once', async () => {
    await handle.script('CREATE TABLE big (id INTEGER PRIMARY KEY, n INTEGER)');
    const { rows } = await handle.execute('INSERT INTO big (n) VALUES (9007199254740993) RETURNING n', []);
    expect(rows).toEqual([[9007199254740992]]);
    expect(await query('SELECT count(*) FROM big', [])).toEqual([[1]]);
  });

  test('an application names it, and the probe says what it is', async () => {
    const orm = { driver: 'sqlite', client, file: ':memory:', schema: 'none' as const };
    const app = await bootTestApp({ plugins: [plugin(() => import('fw/orm'), orm)] });
    const { driver, version } = app.services.get(Database).about ?? {};
    expect([driver, version]).toEqual([client, expect.stringMatching(/^3\./)]);
    const { summary, detail } = (await app.diagnostics.get('orm')) ?? {};
    expect(summary).toContain(`SQLite ${version} through ${client} is open`);
    expect(detail).toMatchObject({ dialect: 'sqlite', driver: client, version });
    await app.stop();
  });
});
