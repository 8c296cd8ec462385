import { expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { busyPoolContract } from '../contract/busy-pool.contract.js';
import { dbPullContract } from '../contract/db-pull.contract.js';
import { dialectContract } from '../contract/dialect.contract.js';
import { lostConnectionContract, portOf } from '../contract/lost-connection.contract.js';
import { migrationsContract } from '../contract/migrations.contract.js';
import { rowWritesContract } from '../contract/row-writes.contract.js';
import { schemaChangesContract } from '../contract/schema-changes.contract.js';
import { MYSQL, mysqlDatabase } from '../contract/test-servers.js';
import { open, withExecutorOptions, withStmtCacheSize } from '../index.js';
import { migrations } from '../migrations/index.js';
import { mysql, openMysql } from './index.js';

describeWith(MYSQL, 'MySQL', (url) => {
  dialectContract('MySQL', mysql, () => mysqlDatabase(url));
  rowWritesContract('MySQL', mysql, () => mysqlDatabase(url));
  migrationsContract('MySQL', mysql, () => mysqlDatabase(url));
  schemaChangesContract('MySQL', mysql, () => mysqlDatabase(url));

  const id = 'integer AUTO_INCREMENT PRIMARY KEY';
  const types = { id, date: 'datetime(3)', json: 'json', bytes: 'longblob', float: 'double' };
  dbPullContract('MySQL', mysql, types, () => mysqlDatabase(url));
  busyPoolContract(mysql, (options) => openMysql(url, options));
  lostConnectionContract({
    dialect: mysql,
    url,
    open: (connections) => openMysql(url, { connections }),
    openThrough: (port, connectTimeout) => openMysql(portOf(url, port), { connections: 1, connectTimeout }),
    whoAmI: 'SELECT CONNECTION_ID()',
    kill: (id) => `KILL CONNECTION ${id}`,
    sleep: 'SELECT SLEEP(20)',
  });

  test('a statement that fails behind a stored program fails the script', async () => {
    const handle = await openMysql(url, { connections: 1 });
    const name = `fw_test_${process.pid}`;
    const program = `CREATE PROCEDURE ${name}() BEGIN SELECT 1; SELECT 2; END`;
    await expect(handle.script(`${program}; NONSENSE; SELECT 3;`)).rejects.toMatchObject({ code: 'FW_ORM_DATABASE' });
    await handle.script(`CALL ${name}(); CALL ${name}()`);
    await handle.script(`DROP PROCEDURE ${name}`);
    expect(await handle.query('SELECT 4', [])).toEqual([[4]]);
    await handle.close();
  });

  test('a runner that does not get the lock does nothing, and says so', async () => {
    const [busy, own] = [await openMysql(url), await openMysql(url)];
    const advisoryLock = {
      acquire: "SELECT GET_LOCK('fw_test_held', 0)",
      release: "SELECT RELEASE_LOCK('fw_test_held')",
    };
    const holder = await busy.reserve();
    await holder.connection.query(advisoryLock.acquire, []);
    const db = open(own, { ...mysql, schema: { ...mysql.schema, advisoryLock } });
    await expect(migrations.new(db).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_LOCKED' });
    expect(own.stats().connections).toEqual({ open: 1, idle: 1, waiting: 0 });
    holder.giveBack();
    await Promise.all([busy.close(), own.close()]);
  });

  test('withStmtCacheSize bounds the prepared statements of new connections', async () => {
    const db = open(await openMysql(url, { connections: 1 }), mysql, withExecutorOptions(withStmtCacheSize(4)));
    for (let n = 1; n < 20; n++) await db.sqlDB().query(`SELECT ${n}`, []);
    const { size, misses } = db.stats().handle.statements;
    expect(misses).toBeGreaterThanOrEqual(19);
    expect(size).toBeLessThanOrEqual(4);
    await db.close();
  });
});
