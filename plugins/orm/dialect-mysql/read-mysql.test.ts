import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { lostReadsContract } from '../contract/lost-reads.contract.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { mysqlReader, readMysql } from './read-mysql.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';

describeWith(MYSQL, 'reads of MySQL', (url) => {
  let db: ServerDatabase;
  let login: string;
  let user: string;
  const hidden = [{ table: 'users', column: 'password_hash' }];
  const tables = [{ name: 'orders' }, { name: 'users', columns: ['id', 'email'] }];
  const read = (sql: string, as = login) =>
    readMysql({ url: db.address }, { sql, maxRows: 2, timeoutMs: 1_000, hidden, login: as });

  beforeAll(async () => {
    db = await mysqlDatabase(url);
    await db.handle.script('CREATE TABLE users (id int, email text, password_hash text)');
    await db.handle.script('CREATE TABLE orders (id int)');
    await db.handle.script("INSERT INTO users VALUES (1, 'a@x', 's3cret')");
    await db.handle.script('INSERT INTO orders VALUES (1), (2), (3)');
    const setup = mysqlReader({ url: db.address }, { tables, password: 'reads' });
    // Twice: what is readable is said anew.
    for (const statement of [...setup.statements, ...setup.statements]) await db.handle.script(statement);
    login = setup.login;
    user = `'${decodeURIComponent(new URL(login).username)}'@'%'`;
  });
  afterAll(async () => {
    await db.handle.script(`DROP USER ${user}`);
    await db.drop();
  });

  test('give columns and rows, and no more of them than asked for', async () => {
    const sql = "SELECT id, 1.50 AS n, CAST(9007199254740993 AS SIGNED) AS big, x'00ff' AS bytes FROM users";
    expect(await read(sql)).toEqual({
      columns: ['id', 'n', 'big', 'bytes'],
      rows: [[1, '1.50', '9007199254740993', "x'00ff'"]],
      isCut: false,
    });
    expect(await read('SELECT id FROM orders ORDER BY id')).toMatchObject({ rows: [[1], [2]], isCut: true });
    expect(await read('SHOW TABLES')).toMatchObject({ rows: [['orders'], ['users']] });
  });

  test.each([
    ['INSERT INTO orders VALUES (4)'],
    ['DELETE FROM orders'],
    ['DROP TABLE orders'],
    ['SELECT 1; DROP TABLE orders'],
    ['COMMIT'],
    ["SET PASSWORD = 'x'"],
    ["ALTER USER CURRENT_USER() IDENTIFIED BY 'x'"],
    ["SELECT * INTO OUTFILE '/tmp/fw-x' FROM orders"],
    ['SELECT id FROM orders FOR UPDATE'],
    ['SELECT User FROM mysql.user'],
  ])('refuse %s', async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ code: 'FW_ORM_READ_REFUSED' });
    expect(await read('SELECT count(*) FROM orders')).toMatchObject({ rows: [[3]] });
  });

  test.each([['SELECT * FROM users'], ["SELECT id FROM users WHERE password_hash LIKE 's%'"]])(
    'refuse a private column in %s',
    async (sql) => {
      await expect(read(sql)).rejects.toThrow(/private columns are not readable/);
    },
  );

  test('are not run under a login that does more than read, or sees what is private', async () => {
    const refused = (rights: RegExp) => ({ code: 'FW_ORM_READ_LOGIN', message: expect.stringMatching(rights) });
    await expect(read('SELECT 1', db.address)).rejects.toMatchObject(refused(/ALL PRIVILEGES on every database/));
    const database = new URL(db.address).pathname.slice(1);
    for (const [right, on, rights] of [
      ['INSERT', `\`${database}\`.orders`, /it has INSERT/],
      ['SELECT (id), UPDATE (id)', `\`${database}\`.orders`, /it has UPDATE/],
      ['FILE', '*.*', /it has FILE/],
      ['SELECT', '*.*', /SELECT on every database/],
      ['SELECT (password_hash)', `\`${database}\`.users`, /private columns: users.password_hash/],
    ] as const) {
      await db.handle.script(`GRANT ${right} ON ${on} TO ${user}`);
      await expect(read('SELECT 1')).rejects.toMatchObject(refused(rights));
      await db.handle.script(`REVOKE ${right} ON ${on} FROM ${user}`);
    }
    expect(await read('SELECT 1 AS one')).toMatchObject({ rows: [[1]] });
  });

  lostReadsContract(
    () => ({ address: db.address, login }),
    ({ address, connectTimeout, ...lost }) =>
      readMysql({ url: address, connectTimeout }, { sql: 'SELECT id FROM orders', maxRows: 2, hidden, ...lost }),
  );
});
