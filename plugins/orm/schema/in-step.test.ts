import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { plugin } from '../../../kernel/index.js';
import { bootTestApp } from '../../../kernel/testing/index.js';
import orm, { type ColumnDefinition, Database, registerModel } from '../index.js';
import { modelsOf } from '../model-databases.js';
import { keepInStep } from './in-step.js';

class Kept {}
const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
  { property: 'title', column: 'title', kind: 'string', size: 20 },
];
const MOOD: ColumnDefinition = { property: 'mood', column: 'mood', kind: 'string', nullable: true };
const becomes = (...more: ColumnDefinition[]) =>
  registerModel(Kept, { name: 'Kept', table: 'kept', columns: [...columns, ...more] });

let root: string;
let app: Awaited<ReturnType<typeof bootTestApp>>;
let db: Database;
beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-in-step-'));
  mkdirSync(path.join(root, 'node_modules'));
  becomes();
  const options = { driver: 'sqlite', file: path.join(root, 'test.db'), schema: 'none' } as const;
  app = await bootTestApp({ profile: 'dev', root, plugins: [plugin(async () => orm, options)] });
  db = app.services.get(Database);
});
afterEach(async () => {
  await app.stop();
  rmSync(root, { recursive: true });
});

const keep = () => keepInStep(db, modelsOf('default'), { root, name: 'default' });

/** Whether the columns were read, which every comparison begins with. */
async function compares(): Promise<boolean> {
  const query = jest.spyOn(db.handle, 'query');
  await keep();
  const isRead = query.mock.calls.some(([sql]) => sql === db.dialect.schema.introspection.columns);
  query.mockRestore();
  return isRead;
}

describe('tables that are what the models say', () => {
  test('are compared once, and again when the models or the database are others', async () => {
    expect(await keep()).toEqual({ made: ['kept'], changed: [], left: [] });
    expect(await compares()).toBe(false);
    becomes(MOOD);
    expect(await keep()).toEqual({ made: [], changed: ['kept'], left: [] });
    expect(await compares()).toBe(true);
    expect(await compares()).toBe(false);
    await db.handle.script('ALTER TABLE kept ADD COLUMN extra TEXT');
    expect((await keep()).left).not.toEqual([]);
  });

  test('are made again where they are gone', async () => {
    await keep();
    await db.handle.script('DROP TABLE kept');
    expect(await keep()).toEqual({ made: ['kept'], changed: [], left: [] });
  });

  test('are compared at every start as long as something is left, so that it is said again', async () => {
    await keep();
    await db.handle.script("INSERT INTO kept (title) VALUES ('a')");
    becomes({ property: 'size', column: 'size', kind: 'int' });
    const first = await keep();
    expect(first.left).not.toEqual([]);
    expect(await keep()).toEqual(first);
  });

  test('are compared at every start of a project that has no place to remember', async () => {
    rmSync(path.join(root, 'node_modules'), { recursive: true });
    await keep();
    expect(await compares()).toBe(true);
  });
});
