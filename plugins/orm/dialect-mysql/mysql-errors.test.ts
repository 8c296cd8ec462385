import { expect, test } from '@jest/globals';
import { mysqlError } from './mysql-errors.js';

const refusal = (near: string) =>
  Object.assign(
    new Error(
      `You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '${near}' at line 1`,
    ),
    { code: 'ER_PARSE_ERROR', errno: 1064, sqlState: '42000' },
  );

// As MySQL 8.0.30 answers: one of the words is reserved there, the other is taken for an alias.
test.each([
  ['INTERSECT', 'SELECT `a` FROM `one` INTERSECT SELECT `a` FROM `two`', 'SELECT `a` FROM `two`'],
  [
    'INTERSECT',
    'SELECT `a` FROM `one` WHERE `a` > ? INTERSECT SELECT `a` FROM `two`',
    'INTERSECT SELECT `a` FROM `two`',
  ],
  ['INTERSECT ALL', 'SELECT `a` FROM `one` INTERSECT ALL SELECT `a` FROM `two`', 'ALL SELECT `a` FROM `two`'],
  ['EXCEPT', 'SELECT `a` FROM `one` EXCEPT SELECT `a` FROM `two`', 'EXCEPT SELECT `a` FROM `two`'],
  ['EXCEPT ALL', 'SELECT `a` FROM `one` EXCEPT ALL SELECT `a` FROM `two`', 'EXCEPT ALL SELECT `a` FROM `two`'],
])('names the release that knows %s', (feature, sql, near) => {
  const error = mysqlError(refusal(near), sql);
  expect(error).toMatchObject({ code: 'FW_ORM_UNSUPPORTED', details: { dialect: 'MySQL', feature } });
  expect(error.message).toContain('8.0.31');
});

test('leaves any other mistake of a statement to what the server says', () => {
  const sql = 'SELECT `a` FROM `one` INTERSECT SELECT `a` FRM `two`';
  expect(mysqlError(refusal('`two`'), sql).code).toBe('FW_ORM_DATABASE');
  expect(mysqlError(refusal('SELECT 1'), 'SELECT 1 SELECT 1').code).toBe('FW_ORM_DATABASE');
});
