import { readFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { bootTestApp } from '../../../../kernel/testing/index.js';
import { describeWith } from '../../../../kernel/testing/required-service.js';
import { testableDialects, type AddressedDatabase } from '../../contract/tested-dialects.js';
import { Database, databaseNamed, model } from '../../index.js';
import { createMissingTables } from '../../schema/index.js';

// The program has PostgreSQL beside SQLite.
for (const { facts, server, create } of testableDialects)
  if (facts.name === 'postgres' && server !== undefined)
    describeWith(server, 'an application with several databases', (url) => keepsThemApart(() => create(url)));

function keepsThemApart(made: () => Promise<AddressedDatabase>): void {
  test('keeps in the one with a name what is put there', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'fw-tour-'));
    await mkdir(path.join(root, 'data'));
    const folder = process.cwd();
    // Files of databases stand below the folder that the application was started in.
    process.chdir(root);
    const before = process.env['DATABASE_URL'];
    const { address, drop } = await made();
    process.env['DATABASE_URL'] = address;
    const { keepOrder, Order, severalDatabases } = await import('./several-databases.js');
    const app = await bootTestApp({ plugins: severalDatabases.plugins, root });
    try {
      const archive = app.services.get(databaseNamed('archive'));
      await createMissingTables(archive, [Order]);
      await keepOrder(app.services, { status: 'open' });
      expect(await model(archive, Order).count()).toBe(1);
      expect([app.services.get(Database).dialect.name, archive.dialect.name]).toEqual(['postgres', 'sqlite']);
    } finally {
      await app.stop();
      process.chdir(folder);
      if (before === undefined) delete process.env['DATABASE_URL'];
      else process.env['DATABASE_URL'] = before;
      await drop();
      await rm(root, { recursive: true, force: true });
    }
  });
}

test('every line of the guide to several databases is one of the program', async () => {
  const guide = await readFile(path.resolve('docs/guides/orm.md'), 'utf8');
  const program = await readFile(path.join(import.meta.dirname, 'several-databases.ts'), 'utf8');
  const [section = ''] = /### Several databases[^]*?(?=\nA read replica)/.exec(guide) ?? [];
  const lines = [...section.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  const known = new Set(program.split('\n').map((line) => line.trim()));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !known.has(line.trim()))).toEqual([]);
});
