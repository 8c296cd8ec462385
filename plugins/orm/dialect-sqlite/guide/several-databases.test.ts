import { readFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { bootTestApp } from '../../../../kernel/testing/index.js';
import { describeWith } from '../../../../kernel/testing/required-service.js';
import { testableDialects } from '../../contract/tested-dialects.js';
import { Database, databaseNamed, model } from '../../index.js';
import { createMissingTables } from '../../schema/index.js';

// The program has PostgreSQL beside SQLite.
for (const { facts, server } of testableDialects)
  if (facts.name === 'postgres' && server !== undefined)
    describeWith(server, 'an application with several databases', keepsThemApart);

function keepsThemApart(url: string): void {
  test('keeps in the one with a name what is put there', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'fw-tour-'));
    await mkdir(path.join(root, 'data'));
    const folder = process.cwd();
    // Files of databases stand below the folder that the application was started in.
    process.chdir(root);
    const before = process.env['DATABASE_URL'];
    process.env['DATABASE_URL'] = url;
    const { keepOrder, Order, severalDatabases } = await import('./several-databases.js');
    try {
      const app = await bootTestApp({ plugins: severalDatabases.plugins, root });
      const archive = app.services.get(databaseNamed('archive'));
      await createMissingTables(archive, [Order]);
      await keepOrder(app.services, { status: 'open' });
      expect(await model(archive, Order).count()).toBe(1);
      expect([app.services.get(Database).dialect.name, archive.dialect.name]).toEqual(['postgres', 'sqlite']);
      await app.stop();
    } finally {
      process.chdir(folder);
      if (before === undefined) delete process.env['DATABASE_URL'];
      else process.env['DATABASE_URL'] = before;
      await rm(root, { recursive: true, force: true });
    }
  }, 60_000);
}

test('every line of the guide to several databases is one of the program', async () => {
  const guide = await readFile(path.resolve('docs/guides/orm.md'), 'utf8');
  const program = await readFile(path.join(import.meta.dirname, 'several-databases.ts'), 'utf8');
  const [section = ''] = /### Several databases[^]*?(?=\n## )/.exec(guide) ?? [];
  const lines = [...section.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  const known = new Set(program.split('\n').map((line) => line.trim()));
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.filter((line) => !known.has(line.trim()))).toEqual([]);
});
