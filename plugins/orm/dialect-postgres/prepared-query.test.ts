import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { POSTGRES } from './testing/postgres-server.js';
import { transaction, open, type Database } from '../index.js';
import { openPostgres, postgres } from './index.js';
import { parsersOf, preparedQueries, type PreparedStatement, type RunQuery } from './prepared-query.js';

describeWith(POSTGRES, 'queries of PostgreSQL', (url) => {
  const [BOOL, INT, INTS] = [16, 23, 1007];
  const parserOf = parsersOf(pg.types, new Set([BOOL, INT]), new Map([[INTS, INT]]));
  let client: pg.Client;
  let runQuery: RunQuery;
  let answers: string[];
  beforeAll(async () => {
    client = new pg.Client(url);
    await client.connect();
    runQuery = preparedQueries(pg.Query, parserOf);
    const { connection } = client as unknown as { readonly connection: NodeJS.EventEmitter };
    for (const name of ['rowDescription', 'noData']) connection.on(name, () => answers.push(name));
  });
  afterAll(() => client.end());

  const run = (text: string, values: readonly unknown[], statement?: PreparedStatement) => {
    answers = [];
    return runQuery(client, text, values, statement);
  };
  const named = (name: string): PreparedStatement => ({ name, columns: undefined });

  test('have their columns described the first time only', async () => {
    const text = "SELECT $1::int, NULL::text, 'a'::text, true, DATE '2024-05-06', ARRAY[1, 2]";
    const statement = named('described');
    const rows = (n: number) => ({ rows: [[n, null, 'a', true, '2024-05-06', [1, 2]]], rowCount: 1 });
    expect(await run(text, [1], statement)).toEqual(rows(1));
    expect(answers).toEqual(['rowDescription']);
    expect(await run(text, [2], statement)).toEqual(rows(2));
    expect(answers).toEqual([]);
  });

  test('without rows are asked about once, too', async () => {
    await client.query('CREATE TEMPORARY TABLE counted (n int); INSERT INTO counted VALUES (1), (2)');
    const statement = named('counted');
    expect(await run('UPDATE counted SET n = n + $1', [1], statement)).toEqual({ rows: [], rowCount: 2 });
    expect(answers).toEqual(['noData']);
    expect(await run('UPDATE counted SET n = n + $1', [1], statement)).toEqual({ rows: [], rowCount: 2 });
    expect(answers).toEqual([]);
  });

  test('without a name are described each time', async () => {
    for (const n of [1, 2]) {
      expect(await run('SELECT $1::int', [n])).toEqual({ rows: [[n]], rowCount: 1 });
      expect(answers).toEqual(['rowDescription']);
    }
  });

  test('that fail before they are described are described later', async () => {
    const statement = named('divides');
    await expect(run('SELECT 1 / $1::int', [0], statement)).rejects.toThrow('division by zero');
    expect(await run('SELECT 1 / $1::int', [1], statement)).toEqual({ rows: [[1]], rowCount: 1 });
    expect(await run('SELECT 1 / $1::int', [1], statement)).toEqual({ rows: [[1]], rowCount: 1 });
    expect(answers).toEqual([]);
  });

  test('with a value that cannot be read fail, and the connection goes on', async () => {
    const unreadable = preparedQueries(pg.Query, () => () => {
      throw new Error('no such number');
    });
    await expect(unreadable(client, 'SELECT n FROM generate_series(1, 3) n', [], undefined)).rejects.toThrow(
      'no such number',
    );
    expect(await run('SELECT 1', [])).toEqual({ rows: [[1]], rowCount: 1 });
  });

  test('wait for each other in the order in which they were made', async () => {
    const statement = named('ordered');
    const all = [1, 2, 3].map((n) => run('SELECT $1::int', [n], statement));
    expect((await Promise.all(all)).map(({ rows }) => rows)).toEqual([[[1]], [[2]], [[3]]]);
  });

  describe('after the type of a column was changed', () => {
    const SELECT = 'SELECT n FROM fw_retyped';
    let db: Database;
    beforeAll(async () => {
      db = open(await openPostgres(url, { connections: 1 }), postgres);
      await db.sqlDB().script('DROP TABLE IF EXISTS fw_retyped; CREATE TABLE fw_retyped (n int)');
      await db.sqlDB().execute('INSERT INTO fw_retyped VALUES (1)', []);
    });
    afterAll(async () => {
      await db.sqlDB().script('DROP TABLE fw_retyped');
      await db.close();
    });

    test('give the new type', async () => {
      expect(await db.sqlDB().query(SELECT, [])).toEqual([[1]]);
      await db.sqlDB().script('ALTER TABLE fw_retyped ALTER n TYPE text');
      expect(await db.sqlDB().query(SELECT, [])).toEqual([['1']]);
      expect(await db.sqlDB().query(SELECT, [])).toEqual([['1']]);
    });

    test('inside of a transaction fail it as what is worth another try, and are prepared anew for that', async () => {
      const once = { maxAttempts: 1 };
      const inTransaction = (policy: { maxAttempts: number } | null = null) =>
        transaction.run(db, null, policy, async (tx) => tx.query(SELECT, []));
      expect(await inTransaction()).toEqual([['1']]);
      await db.sqlDB().script('ALTER TABLE fw_retyped ALTER n TYPE int USING n::int');
      await expect(inTransaction(once)).rejects.toMatchObject({ code: 'FW_ORM_TRANSIENT' });
      expect(await inTransaction(once)).toEqual([[1]]);
      await db.sqlDB().script('ALTER TABLE fw_retyped ALTER n TYPE text');
      expect(await inTransaction()).toEqual([['1']]);
    });

    test('are not taken for outdated when a trigger of theirs fails', async () => {
      await db.sqlDB().script(`CREATE TABLE fw_triggering (n int);
        CREATE FUNCTION fw_missing() RETURNS trigger AS $$ BEGIN PERFORM no_such_function(NEW.n); RETURN NEW; END $$ LANGUAGE plpgsql;
        INSERT INTO fw_triggering VALUES (1);`);
      try {
        const updating = (n: number) =>
          transaction.run(db, null, { maxAttempts: 1 }, async (tx) =>
            tx.execute('UPDATE fw_triggering SET n = $1', [n]),
          );
        await updating(2);
        await db.sqlDB().script('CREATE TRIGGER missing BEFORE UPDATE ON fw_triggering FOR EACH ROW EXECUTE FUNCTION fw_missing()'); // prettier-ignore
        for (const n of [3, 4])
          await expect(updating(n)).rejects.toMatchObject({
            code: 'FW_ORM_DATABASE',
            details: { driverCode: '42883' },
          });
      } finally {
        await db.sqlDB().script('DROP TABLE fw_triggering; DROP FUNCTION fw_missing');
      }
    });

    // The server keeps the types of parameters that it found at first (https://www.postgresql.org/docs/current/sql-prepare.html).
    test('take values of the type that the column has now', async () => {
      const insert = (n: unknown) => db.sqlDB().query('INSERT INTO fw_held (n) VALUES ($1) RETURNING n', [n]);
      const inTransaction = (n: unknown) =>
        transaction.run(db, null, { maxAttempts: 1 }, async (tx) =>
          tx.query('INSERT INTO fw_held (n) VALUES ($1) RETURNING n', [n]),
        );
      const names = async () =>
        (await db.sqlDB().query('SELECT name FROM pg_prepared_statements WHERE statement LIKE $1', ['%fw_held%']))
          .length;
      await db.sqlDB().script('CREATE TEMP TABLE fw_held (n int)');
      expect(await insert(1)).toEqual([[1]]);
      await db.sqlDB().script('ALTER TABLE fw_held ALTER n TYPE double precision');
      expect(await insert(2.5)).toEqual([[2.5]]);
      await db.sqlDB().script('DELETE FROM fw_held; ALTER TABLE fw_held ALTER n TYPE int');
      expect(await insert(1)).toEqual([[1]]);
      await db.sqlDB().script('ALTER TABLE fw_held ALTER n TYPE double precision');
      await expect(inTransaction(2.5)).rejects.toMatchObject({ details: { driverCode: '22P02' } });
      expect(await inTransaction(2.5)).toEqual([[2.5]]);
      // A value that no column of the kind takes is refused as before, and statements do not pile up for it.
      for (let time = 0; time < 3; time++) {
        await expect(insert('x')).rejects.toMatchObject({ details: { driverCode: '22P02' } });
        await expect(inTransaction('x')).rejects.toMatchObject({ details: { driverCode: '22P02' } });
        expect(await insert(3)).toEqual([[3]]);
      }
      expect(await names()).toBe(1);
    });

    test('take such values also where a statement has only failed so far', async () => {
      const insert = (n: unknown) => db.sqlDB().query('INSERT INTO fw_failed (n) VALUES ($1) RETURNING n', [n]);
      await db.sqlDB().script('CREATE TEMP TABLE fw_failed (n int)');
      await expect(insert(2.5)).rejects.toMatchObject({ details: { driverCode: '22P02' } });
      await db.sqlDB().script('ALTER TABLE fw_failed ALTER n TYPE double precision');
      expect(await insert(2.5)).toEqual([[2.5]]);
      await db.sqlDB().script('DELETE FROM fw_failed; ALTER TABLE fw_failed ALTER n TYPE int');
      expect(await insert(1)).toEqual([[1]]);
    });
  });

  // What poolers do between transactions (https://www.pgbouncer.org/config.html, server_reset_query).
  describe.each(['DEALLOCATE ALL', 'DISCARD ALL'])('after %s', (reset) => {
    let db: Database;
    beforeAll(async () => {
      db = open(await openPostgres(url, { connections: 1 }), postgres);
    });
    afterAll(() => db.close());

    const texts = ['SELECT $1::int', 'SELECT $1::int + 1', 'SELECT $1::int + 2'];
    const all = () => Promise.all(texts.map((text) => db.sqlDB().query(text, [1])));

    test('are prepared again, and kept from then on', async () => {
      const expected = [[[1]], [[2]], [[3]]];
      expect(await all()).toEqual(expected);
      await db.sqlDB().script(reset);
      expect(await all()).toEqual(expected);
      const names = async () =>
        (await db.sqlDB().query('SELECT name FROM pg_prepared_statements ORDER BY 1', [])).length;
      await names();
      const before = await names();
      expect(await all()).toEqual(expected);
      expect(await names()).toBe(before);
    });

    test('inside of a transaction fail it as what is worth another try', async () => {
      const [text = ''] = texts;
      let attempts = 0;
      const work = (policy: { maxAttempts: number } | null) =>
        transaction.run(db, null, policy, async (tx) => {
          attempts++;
          return tx.query(text, [1]);
        });
      expect(await work(null)).toEqual([[1]]);
      await db.sqlDB().script(reset);
      await expect(work({ maxAttempts: 1 })).rejects.toMatchObject({
        code: 'FW_ORM_TRANSIENT',
        details: { driverCode: '26000' },
      });
      expect(await work(null)).toEqual([[1]]);
      await db.sqlDB().script(reset);
      attempts = 0;
      expect(await work(null)).toEqual([[1]]);
      expect(attempts).toBe(2);
    });
  });

  test('are not prepared by name when the options say so', async () => {
    const db = open(await openPostgres(url, { connections: 1, prepare: false }), postgres);
    try {
      for (const n of [1, 2]) expect(await db.sqlDB().query('SELECT $1::int', [n])).toEqual([[n]]);
      expect(await db.sqlDB().query('SELECT count(*)::int FROM pg_prepared_statements', [])).toEqual([[0]]);
    } finally {
      await db.close();
    }
    await expect(openPostgres(url, { prepare: 'no' as never })).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS' });
  });
});
