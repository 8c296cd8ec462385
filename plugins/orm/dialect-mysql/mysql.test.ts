import { expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { busyPoolContract } from '../contract/busy-pool.contract.js';
import { callLimitsContract } from '../contract/call-limits.contract.js';
import { dbPullContract } from '../contract/db-pull.contract.js';
import { guideModelsContract } from '../contract/guide-models.contract.js';
import { faultsContract } from '../contract/faults.contract.js';
import { lostConnectionContract, portOf } from '../contract/lost-connection.contract.js';
import { runCells } from '../contract/index.js';
import { MYSQL, mysqlDatabase, testedMysql } from './testing/mysql-server.js';
import { model, open, registerModel, transaction, withExecutorOptions, withStmtCacheSize } from '../index.js';
import { migrations } from '../migrations/index.js';
import { mysql, openMysql } from './index.js';
import { ODD } from './testing/odd-schema.js';
import { MYSQL_PROTOCOL } from './testing/mysql-protocol.js';

describeWith(MYSQL, 'MySQL', (url) => {
  const tested = testedMysql(url);
  runCells(tested, [
    'queries, relations, keys and transactions',
    'writes of rows',
    'links of many to many',
    'quoting of what comes from outside',
    'differences between models and tables',
    'migrations',
    'interruption',
  ]);
  callLimitsContract(tested);

  const id = 'integer AUTO_INCREMENT PRIMARY KEY';
  const types = { id, date: 'datetime(3)', json: 'json', bytes: 'longblob', float: 'double' };
  dbPullContract(tested, types, ODD);
  guideModelsContract(tested);
  busyPoolContract(mysql, (options) => openMysql(url, options));
  faultsContract({
    dialect: mysql,
    protocol: MYSQL_PROTOCOL,
    database: () => mysqlDatabase(url),
    openThrough: (own, port, connectTimeout) => openMysql(portOf(own, port), { connections: 2, connectTimeout }),
    sleep: 'SELECT SLEEP(0.7)',
  });
  lostConnectionContract({
    dialect: mysql,
    url,
    open: (connections) => openMysql(url, { connections }),
    openThrough: (port, connectTimeout) => openMysql(portOf(url, port), { connections: 1, connectTimeout }),
    whoAmI: 'SELECT CONNECTION_ID()',
    kill: (id) => `KILL CONNECTION ${id}`,
    stop: (id) => `KILL QUERY ${id}`,
    sleep: 'SELECT SLEEP(20)',
    asleep: (id) => `SELECT 1 FROM information_schema.processlist WHERE id = ${id} AND state = 'User sleep'`,
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

  // https://mariadb.com/kb/en/auto_increment/ (auto_increment_increment), as a cluster sets it
  test('rows of a batch get the keys that a server gives which counts in steps', async () => {
    const made = await mysqlDatabase(url);
    const db = open(await openMysql(made.address, { connections: 1 }), mysql);
    try {
      class Step {
        id!: bigint;
        place!: number;
      }
      const id = { property: 'id', column: 'id', kind: 'bigint', primaryKey: true, autoincrement: true } as const;
      registerModel(Step, {
        name: 'Step',
        table: 'steps',
        columns: [id, { property: 'place', column: 'place', kind: 'int' }],
      });
      await db.sqlDB().script(`CREATE TABLE steps (id bigint AUTO_INCREMENT PRIMARY KEY, place int NOT NULL);
        SET SESSION auto_increment_increment = 3, auto_increment_offset = 2`);
      const rows: Partial<Step>[] = Array.from({ length: 2500 }, (_, place) => ({ place }));
      await model(db, Step).createBatch(rows);
      expect(await model(db, Step).orderBy({ column: 'place' }).find()).toEqual(rows);
      expect(rows[1]).toEqual({ id: 5n, place: 1 });
    } finally {
      await db.close();
      await made.drop();
    }
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

  test('after a row was changed by another since it was read, nothing is kept of the transaction that MariaDB ends by it', async () => {
    const made = await mysqlDatabase(url);
    const [db, other] = [open(await openMysql(made.address, { connections: 1 }), mysql), made.handle];
    try {
      // MySQL itself has no such setting: there the later statement changes what is there, and is kept.
      const [known] = await other.query("SHOW VARIABLES LIKE 'innodb_snapshot_isolation'", []);
      if (known === undefined) return;
      await db.sqlDB().script('SET SESSION innodb_snapshot_isolation = ON');
      await other.script('CREATE TABLE seen (id int PRIMARY KEY, n int); INSERT INTO seen VALUES (1, 1), (2, 1)');
      let runs = 0;
      const change = (isCaught: boolean) =>
        transaction.run(db, null, null, async (tx) => {
          await tx.execute('UPDATE seen SET n = n + 1 WHERE id = 2', []);
          await tx.query('SELECT * FROM seen', []);
          if (runs++ === 0) await other.execute('UPDATE seen SET n = n + 5 WHERE id = 1', []);
          const late = Promise.resolve(tx.execute('UPDATE seen SET n = n + 1 WHERE id = 1', []));
          await (isCaught ? late.catch(() => undefined) : late);
          await tx.execute('INSERT INTO seen VALUES (3, 1)', []);
        });
      const rows = () => other.query('SELECT id, n FROM seen ORDER BY id', []);
      const lost = { code: 'FW_ORM_TRANSACTION_LOST', cause: { code: 'FW_ORM_TRANSIENT' } };
      await expect(change(true)).rejects.toMatchObject(lost);
      expect([runs, ...(await rows())]).toEqual([1, [1, 6], [2, 1]]);
      runs = 0;
      await change(false);
      expect([runs, ...(await rows())]).toEqual([2, [1, 12], [2, 2], [3, 1]]);
    } finally {
      await db.close();
      await made.drop();
    }
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
