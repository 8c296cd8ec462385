import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { runCells, type ServerDatabase } from '../contract/index.js';
import { columnOf, model, open, registerModel } from '../index.js';
import { mysql } from './index.js';
import { MYSQL, mysqlDatabase, testedMysql } from './testing/mysql-server.js';

describeWith(MYSQL, 'MySQL', (url) => {
  runCells(testedMysql(url), ['kinds of values and null', 'arrays', 'defaults', 'limits of values']);
});

describeWith(MYSQL, 'values that MySQL refuses', (url) => {
  let made: ServerDatabase;
  beforeAll(async () => {
    made = await mysqlDatabase(url);
    await made.handle.script('CREATE TABLE narrow (tiny tinyint, short varchar(3), at datetime, price decimal(4, 1))');
  });
  afterAll(() => made.drop());

  test.each([
    ['tiny', 300],
    ['tiny', 'abc'],
    ['short', 'abcd'],
    ['at', 'noon'],
    ['price', '1000.5'],
  ])('have the name of the column: %s, %j', async (column, value) => {
    const writing = async () => made.handle.execute(`INSERT INTO narrow (${column}) VALUES (?)`, [value]);
    await expect(writing()).rejects.toMatchObject({ code: 'FW_ORM_VALUE_REFUSED', details: { column } });
  });
});

describeWith(MYSQL, 'MySQL reads', (url) => {
  let made: ServerDatabase;
  beforeAll(async () => void (made = await mysqlDatabase(url)));
  afterAll(() => made.drop());

  test('columns that are called like members of every object', async () => {
    const sql = 'SELECT 1 AS `__proto__`, 2 AS `constructor`, 3 AS `__proto__`';
    expect(await made.handle.query(sql, [])).toEqual([[1, 2, 3]]);
  });

  test('the rows of an update whose keys differ by a microsecond', async () => {
    class Tick {
      at!: Date;
      n!: number;
    }
    const info = registerModel(Tick, {
      name: 'Tick',
      table: 'ticks',
      columns: [
        { property: 'at', column: 'at', kind: 'date', sqlType: 'datetime(6)', primaryKey: true },
        { property: 'n', column: 'n', kind: 'int' },
      ],
    });
    await made.handle.script(`CREATE TABLE ticks (at datetime(6) PRIMARY KEY, n int NOT NULL);
      INSERT INTO ticks VALUES ('2024-05-06 07:08:09.010001', 1), ('2024-05-06 07:08:09.010002', 2)`);
    const db = open(made.handle, mysql);
    const n = columnOf<Tick, 'n', number>(info as never, 'n');
    expect(
      await model(db, Tick)
        .returning('n')
        .updateAll(n.set(7) as never),
    ).toEqual([{ n: 7 }, { n: 7 }]);
  });
});
