import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { bootTestApp } from '../../../../kernel/testing/index.js';
import { describeWith } from '../../../../kernel/testing/required-service.js';
import { Database, databaseNamed, model } from '../../index.js';
import { createMissingTables } from '../../schema/index.js';
import testing from '../testing/index.js';

describeWith(testing.server, 'an application with a read replica', (url) => {
  test('reads from it where a query says so, and writes nothing to it', async () => {
    const before = { ...process.env };
    const { address, drop } = await testing.create(url);
    process.env['DATABASE_URL'] = address;
    // https://www.postgresql.org/docs/current/hot-standby.html: a standby reads, and writes nothing
    process.env['REPLICA_URL'] = `${address}?options=-c%20default_transaction_read_only%3Don`;
    const { countOpen, Order, withReplica } = await import('./read-replica.js');
    const app = await bootTestApp({ plugins: withReplica.plugins });
    try {
      const [main, replica] = [app.services.get(Database), app.services.get(databaseNamed('replica'))];
      await createMissingTables(main, [Order]);
      const statuses = ['open', 'open', 'paid'];
      await model(main, Order).createBatch(statuses.map((status) => ({ status })));
      expect(await countOpen(app.services)).toBe(2);
      await expect(model(replica, Order).create({ status: 'open' })).rejects.toThrow('read-only transaction');
    } finally {
      await app.stop();
      for (const name of ['DATABASE_URL', 'REPLICA_URL'] as const)
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      await drop();
    }
  });
});

test('every line of the guide to read replicas is one of the program', async () => {
  const guide = await readFile(path.resolve('docs/guides/orm.md'), 'utf8');
  const program = await readFile(path.join(import.meta.dirname, 'read-replica.ts'), 'utf8');
  const [section = ''] = /\nA read replica[^]*?(?=\n## |\nOf `better-sqlite3`)/.exec(guide) ?? [];
  const lines = [...section.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  const known = new Set(program.split('\n').map((line) => line.trim()));
  expect(lines).toHaveLength(2);
  expect(lines.filter((line) => !known.has(line.trim()))).toEqual([]);
});
