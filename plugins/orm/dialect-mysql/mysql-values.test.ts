import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { runCells, type ServerDatabase } from '../contract/index.js';
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
