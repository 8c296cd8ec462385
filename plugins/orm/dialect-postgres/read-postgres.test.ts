import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FaultProxy } from '../../../kernel/testing/fault-proxy.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { lostReadsContract } from '../contract/lost-reads.contract.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { postgresReader, readPostgres } from './read-postgres.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';

describeWith(POSTGRES, 'reads of PostgreSQL', (url) => {
  let db: ServerDatabase;
  let login: string;
  let reader: string;
  const hidden = [{ table: 'users', column: 'password_hash' }];
  const tables = [{ name: 'orders' }, { name: 'users', columns: ['id', 'email'] }];
  const read = (sql: string, as = login, rest: object = {}) =>
    readPostgres({ url: db.address }, { sql, maxRows: 2, timeoutMs: 1_000, hidden, login: as, ...rest });

  beforeAll(async () => {
    db = await postgresDatabase(url);
    await db.handle.script(`CREATE TABLE users (id int, email text, password_hash text); CREATE TABLE orders (id int);
      INSERT INTO users VALUES (1, 'a@x', 's3cret'); INSERT INTO orders VALUES (1), (2), (3)`);
    const setup = postgresReader({ url: db.address }, { tables, password: 'reads' });
    // Twice: what is readable is said anew.
    for (const statement of [...setup.statements, ...setup.statements]) await db.handle.script(statement);
    login = setup.login;
    reader = decodeURIComponent(new URL(login).username);
  });
  afterAll(async () => {
    await db.handle.script(`DROP OWNED BY "${reader}"; DROP ROLE "${reader}"`);
    await db.drop();
  });

  test('give columns and rows, and no more of them than asked for', async () => {
    const found = await read(
      "SELECT id, 1.50::numeric AS n, 9007199254740993 AS big, true AS yes, '{1}'::int[] FROM users",
    );
    expect(found).toEqual({
      columns: ['id', 'n', 'big', 'yes', 'int4'],
      rows: [[1, '1.50', '9007199254740993', true, '{1}']],
      isCut: false,
    });
    expect(await read('SELECT id FROM orders ORDER BY id')).toMatchObject({ rows: [[1], [2]], isCut: true });
    expect(await read('EXPLAIN SELECT * FROM orders')).toMatchObject({ columns: ['QUERY PLAN'] });
  });

  test.each([
    ['INSERT INTO orders VALUES (4)'],
    ['WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d'],
    ['SELECT 1; DROP TABLE orders'],
    ['EXPLAIN SELECT 1; DROP TABLE orders'],
    ['EXPLAIN ANALYZE DELETE FROM orders'],
    ['COMMIT; DROP TABLE orders'],
    [
      "SELECT set_config('transaction_read_only', 'off', true), query_to_xml('DELETE FROM orders RETURNING id', true, true, '')",
    ],
    ["SELECT pg_read_file('PG_VERSION')"],
    ["COPY orders TO '/tmp/x'"],
    ['SELECT pg_sleep(3)'],
  ])('refuse %s', async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ code: 'FW_ORM_READ_REFUSED' });
    expect(await read('SELECT count(*)::int FROM orders')).toMatchObject({ rows: [[3]] });
  });

  test('say what is read where a statement is no query, and leave a mistake in one to the words of the server', async () => {
    await expect(read('DELETE FROM orders')).rejects.toThrow(/at or near "DELETE"; only a query is read: SELECT/);
    await expect(read('SELECT FROM FROM orders')).rejects.toThrow(/at or near "FROM"\.$/);
  });

  test.each([
    ['SELECT * FROM users'],
    ["SELECT id FROM users WHERE password_hash LIKE 's%'"],
    ["SELECT set_config('role', 'none', true), query_to_xml('SELECT password_hash FROM users', true, true, '')"],
  ])('refuse a private column in %s', async (sql) => {
    await expect(read(sql)).rejects.toThrow(/private columns are not readable/);
  });

  test('are not run under a superuser, nor by who may become one, reads files, or sees what is private', async () => {
    const refused = (rights: RegExp) => ({ code: 'FW_ORM_READ_LOGIN', message: expect.stringMatching(rights) });
    await expect(read('SELECT 1', db.address)).rejects.toMatchObject(refused(/is a superuser, or may become one/));
    const grant = async (right: string, from: string, rights: RegExp) => {
      await db.handle.script(`GRANT ${right} TO "${reader}"`);
      await expect(read('SELECT 1')).rejects.toMatchObject(refused(rights));
      await db.handle.script(`REVOKE ${right} ${from} "${reader}"`);
    };
    await grant('pg_read_server_files', 'FROM', /files of the server by pg_read_server_files/);
    await grant('EXECUTE ON FUNCTION pg_read_file(text)', 'FROM', /the function pg_read_file/);
    await grant('SELECT (password_hash) ON users', 'FROM', /private columns: users.password_hash/);
    await grant('pg_read_all_data', 'FROM', /private columns: users.password_hash/);
    expect(await read('SELECT 1 AS one')).toMatchObject({ rows: [[1]] });
  });

  test.each(['reset', 'close'] as const)('fail alone, wherever their connection is lost (%s)', async (fault) => {
    const proxy = await FaultProxy.to(login);
    try {
      const through = Object.assign(new URL(login), { port: String(proxy.port) }).href;
      for (let after = 1; ; after++) {
        proxy.plan(after, fault);
        const outcome = await read('SELECT id FROM orders', through).catch((error: unknown) => error);
        if (proxy.isPlanned) break;
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: expect.stringMatching(/^FW_ORM_/) });
      }
    } finally {
      await proxy.close();
    }
  });

  lostReadsContract(
    () => ({ address: db.address, login }),
    ({ address, connectTimeout, ...lost }) =>
      readPostgres({ url: address, connectTimeout }, { sql: 'SELECT id FROM orders', maxRows: 2, hidden, ...lost }),
  );

  test('have their time for the statement, and not for the questions before it', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ table: 'users', column: `private_${n}` }));
    const private_ = { timeoutMs: 5, hidden: [...many, { table: 'users', column: 'email' }] };
    await expect(read('SELECT 1', login, private_)).rejects.toMatchObject({
      code: 'FW_ORM_READ_LOGIN',
      message: expect.stringContaining('private columns: users.email'),
    });
  });
});
