import { expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { busyPoolContract } from '../contract/busy-pool.contract.js';
import { callLimitsContract } from '../contract/call-limits.contract.js';
import { dbPullContract } from '../contract/db-pull.contract.js';
import { guideModelsContract } from '../contract/guide-models.contract.js';
import { faultsContract } from '../contract/faults.contract.js';
import { lostConnectionContract, portOf } from '../contract/lost-connection.contract.js';
import { runCells } from '../contract/index.js';
import { POSTGRES, postgresDatabase, testedPostgres } from './testing/postgres-server.js';
import { open, withExecutorOptions, withStmtCacheSize } from '../index.js';
import { postgres, openPostgres } from './index.js';
import { ODD } from './testing/odd-schema.js';
import { POSTGRES_PROTOCOL } from './testing/postgres-protocol.js';

describeWith(POSTGRES, 'PostgreSQL', (url) => {
  const tested = testedPostgres(url);
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

  const types = { id: 'serial PRIMARY KEY', date: 'timestamptz(3)', json: 'jsonb', bytes: 'bytea', float: 'float8' };
  dbPullContract(tested, types, ODD);
  guideModelsContract(tested);
  busyPoolContract(postgres, (options) => openPostgres(url, options));
  faultsContract({
    dialect: postgres,
    protocol: POSTGRES_PROTOCOL,
    database: () => postgresDatabase(url),
    openThrough: (own, port, connectTimeout) => openPostgres(portOf(own, port), { connections: 2, connectTimeout }),
    sleep: 'SELECT 1 FROM pg_sleep(0.7)',
  });
  lostConnectionContract({
    dialect: postgres,
    url,
    open: (connections) => openPostgres(url, { connections }),
    openThrough: (port, connectTimeout) => openPostgres(portOf(url, port), { connections: 1, connectTimeout }),
    whoAmI: 'SELECT pg_backend_pid()',
    kill: (id) => `SELECT pg_terminate_backend(${id})`,
    stop: (id) => `SELECT pg_cancel_backend(${id})`,
    sleep: 'SELECT pg_sleep(20)',
    asleep: (id) => `SELECT 1 FROM pg_stat_activity WHERE pid = ${id} AND wait_event = 'PgSleep'`,
  });

  test('a wrong number of parameters is the fault of the statement, not of the connection', async () => {
    const handle = await openPostgres(url, { connections: 1 });
    await expect(handle.query('SELECT $1::int + $2::int', [1])).rejects.toMatchObject({
      code: 'FW_ORM_DATABASE',
      details: { driverCode: '08P01' },
    });
    expect(await handle.query('SELECT $1::int + $2::int', [1, 2])).toEqual([[3]]);
    await handle.close();
  });

  test('a prepared statement that is given up while calls wait for their turn is still there for them', async () => {
    const handle = await openPostgres(url, { connections: 1, stmtCacheSize: 1 });
    const tx = await handle.begin({});
    await tx.query('SELECT 1', []);
    const rows = await Promise.all([
      tx.query('SELECT 0 FROM pg_sleep(0.05)', [], { once: true }),
      tx.query('SELECT 1', []),
      tx.query('SELECT 2', []),
    ]);
    expect(rows).toEqual([[[0]], [[1]], [[2]]]);
    await tx.commit();
    await handle.close();
  });

  test('withStmtCacheSize bounds the prepared statements of new connections', async () => {
    const db = open(await openPostgres(url, { connections: 1 }), postgres, withExecutorOptions(withStmtCacheSize(4)));
    for (let n = 1; n < 20; n++) await db.sqlDB().query(`SELECT ${n}`, []);
    const { size, misses } = db.stats().handle.statements;
    expect(misses).toBeGreaterThanOrEqual(19);
    expect(size).toBeLessThanOrEqual(4);
    await db.close();
  });
});
