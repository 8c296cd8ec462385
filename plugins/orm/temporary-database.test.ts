import { describe, expect, test } from '@jest/globals';
import { plugin } from '../../kernel/index.js';
import { ownIdentity } from '../../kernel/fs/index.js';
import { startProcess } from '../../kernel/process/index.js';
import { bootTestApp } from '../../kernel/testing/index.js';
import { describeDialects } from './contract/tested-dialects.js';
import orm, { Database, model, registerModel } from './index.js';
import { defaultDialect } from './registry/index.js';

class Note {
  id!: number;
}
const columns = [{ property: 'id', column: 'id', kind: 'int', primaryKey: true }] as const;
registerModel(Note, { name: 'Note', table: 'notes', columns });

const booted = (options: object, profile = 'test') =>
  bootTestApp({ profile, plugins: [plugin(async () => orm, { temporaryDatabase: true, ...options } as never)] });

describeDialects('databases for a start', ({ facts, dialect, create }, server) => {
  if (facts.address.temporary !== true) return;

  test('each start has a database of its own, which the stop drops, with what killed processes left behind', async () => {
    const base = await create(server);
    const databases = async () =>
      (await base.handle.query(dialect.schema.listDatabases ?? '', []))
        .map(([name]) => String(name))
        .filter((name) => name.startsWith(`${new URL(base.address).pathname.slice(1)}_test_`));
    const ended = await startProcess({ command: process.execPath, args: ['--version'], cwd: process.cwd() });
    await ended.exited;
    const left = `${new URL(base.address).pathname.slice(1)}_test_${ownIdentity().machine.slice(0, 6)}_${ended.pid}_0a1b2c`;
    await base.handle.script(`CREATE DATABASE ${left}`);
    const given = { driver: facts.name, url: base.address };
    const apps = [await booted(given), await booted(given)];
    const counts = apps.map((app) => model(app.services.get(Database), Note));
    await counts[0]?.create({ id: 1 });
    expect(await Promise.all(counts.map((notes) => notes.count()))).toEqual([1, 0]);
    expect(await databases()).toHaveLength(2);
    expect(await base.handle.query(dialect.schema.listTables, [])).toEqual([]);
    for (const app of apps) await app.stop();
    expect(await databases()).toEqual([]);
    await expect(booted(given, 'prod')).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS' });
    await base.drop();
  });
});

describe('a dialect without a server', () => {
  const { name, address } = defaultDialect;

  test('has what is in memory for itself, and makes no other file', async () => {
    const app = await booted({ driver: name, [address.option]: address.inTests });
    await app.stop();
    await expect(booted({ driver: name, [address.option]: 'kept.db' })).rejects.toMatchObject({
      code: 'FW_ORM_TEMPORARY_DATABASE',
    });
  });
});
