import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  db as column,
  model,
  open,
  table,
  transaction,
  withPlugins,
  type Database,
  type Int,
  type OrmPlugin,
} from '../index.js';
import { createMissingTables } from '../schema/index.js';
import { openSqlite, sqlite } from './index.js';

@table('marks')
class Mark {
  @column('id,pk,autoincrement,type=int') id!: Int;
  @column('label,unique,type=string') label!: string;
}

const ROWS = 250;
const marks = (count = ROWS) => Array.from({ length: count }, (_, at) => ({ label: `mark ${at}` }));

describe('the form of a batch on SQLite', () => {
  let db: Database;
  let inserts: string[];

  beforeEach(async () => {
    inserts = [];
    const seen: OrmPlugin = {
      name: () => 'seen',
      beforeExecute: (_context, sql) => void (sql.startsWith('INSERT') && inserts.push(sql.replace(/ "marks".*/s, ''))),
    };
    db = open(await openSqlite(':memory:'), sqlite, withPlugins(seen));
  });
  afterEach(() => db.close());

  const plainTable = () => createMissingTables(db, [Mark]);
  const run = (sql: string) => db.sqlDB().script(sql);

  test('is OR FAIL for a table without rules of its own, in statements of a hundred rows', async () => {
    await plainTable();
    const rows = marks() as { label: string; id?: number }[];
    expect(await model(db, Mark).createBatch(rows)).toBe(ROWS);
    expect(inserts).toEqual(['INSERT OR FAIL INTO', 'INSERT OR FAIL INTO', 'INSERT OR FAIL INTO']);
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, at) => at + 1));
  });

  test('leaves no row of the statement that failed, nor of the ones before, and keeps what the transaction had', async () => {
    await plainTable();
    const twice = [...marks(180), { label: 'mark 110' }];
    await transaction.run(db, null, null, async (tx) => {
      await model(tx, Mark).create({ label: 'before' });
      await expect(model(tx, Mark).createBatch(twice)).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
      expect(await model(tx, Mark).count()).toBe(1);
      await model(tx, Mark).create({ label: 'after' });
    });
    expect(await model(db, Mark).count()).toBe(2);
    await expect(model(db, Mark).createBatch(twice)).rejects.toMatchObject({ code: 'FW_ORM_CONSTRAINT' });
    expect(await model(db, Mark).count()).toBe(2);
    expect(inserts.filter((verb) => verb === 'INSERT OR FAIL INTO')).toHaveLength(4);
  });

  test('leaves to the table what it does about a conflict', async () => {
    await run('CREATE TABLE marks (id INTEGER PRIMARY KEY, label TEXT UNIQUE ON CONFLICT IGNORE)');
    await model(db, Mark).createBatch([...marks(), { label: 'mark 3' }]);
    expect(await model(db, Mark).count()).toBe(ROWS);
    expect(inserts).toEqual(['INSERT INTO', 'INSERT INTO']);
  });

  test.each(['TRIGGER', 'TEMP TRIGGER'])('leaves to a %s what it does about a conflict', async (kind) => {
    await plainTable();
    await run('CREATE TABLE seen (letter TEXT UNIQUE)');
    await run(`CREATE ${kind} noted AFTER INSERT ON MARKS BEGIN INSERT OR IGNORE INTO seen VALUES ('m'); END`);
    await model(db, Mark).createBatch(marks());
    expect(await db.sqlDB().query('SELECT count(*) FROM seen', [])).toEqual([[1]]);
    expect(inserts).toEqual(['INSERT INTO', 'INSERT INTO']);
  });

  test('asks nothing about a batch of one statement', async () => {
    await plainTable();
    await model(db, Mark).createBatch(marks(99));
    expect(inserts).toEqual(['INSERT INTO']);
  });
});
