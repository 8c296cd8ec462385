import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCodegen } from '../../../codegen/engine/index.js';
import { model, ModelInfo, type Database, type ModelClass } from '../index.js';
import { createMissingTables, diffSchema, introspect } from '../schema/index.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';
import { makeProject, mistakesIn } from './pulled-project.js';

const GUIDE = 'docs/guides/migrations.md';

/** The class of the guide, as a file of a project. */
async function fileOf(name: string): Promise<string> {
  const blocks = [...(await readFile(GUIDE, 'utf8')).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const block = blocks.find((each) => each.includes(`export class ${name} `)) ?? '';
  return `import { db, table, type Int } from 'fw/orm';\n\n${block}`;
}

/** What the guide to migrations shows of indexes and computed columns, on a real database. */
export function guideModelsContract({ name, dialect, create }: Subject): void {
  describe(`models of the guide to migrations on ${name}`, () => {
    let folder: string;
    let db: Database;

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fw-guide-'));
      await writeFile(join(folder, 'order-line.ts'), await fileOf('OrderLine'));
      await writeFile(join(folder, 'subscriber.ts'), await fileOf('Subscriber'));
      await makeProject(folder);
      expect(await runCodegen({ root: folder })).toMatchObject({ ok: true, problems: [] });
    }, 240_000);

    afterAll(() => rm(folder, { recursive: true }));

    const load = async <Model extends object>(file: string, own: string) => {
      const generated = (await import(join(folder, `generated/${file}.ts`))) as Readonly<Record<string, unknown>>;
      const declared = (await import(join(folder, `${file}.ts`))) as Readonly<Record<string, ModelClass<Model>>>;
      const info = Object.values(generated).find((value) => value instanceof ModelInfo) as ModelInfo;
      return { info, target: declared[own] as ModelClass<Model> };
    };

    test('compile, and a computed column is none that create takes', async () => {
      const use = `import { model, open, type Dialect, type SqlHandle } from 'fw/orm';
import { OrderLine } from './order-line.js';
import './generated/order-line.js';
export async function use(handle: SqlHandle, dialect: Dialect): Promise<number> {
  const lines = model(open(handle, dialect), OrderLine);
  // @ts-expect-error the database computes it
  await lines.create({ price: 3, amount: 2, total: 6 });
  return (await lines.create({ price: 3 })).total;
}\n`;
      await writeFile(join(folder, 'use.ts'), use);
      expect(mistakesIn(folder)).toEqual([]);
    }, 240_000);

    test('the database computes what it is told to, and nothing differs then', async () => {
      interface Line {
        price: number;
        amount: number;
        total: number;
      }
      const { info, target } = await load<Line>('order-line', 'OrderLine');
      expect(await createMissingTables(db, [info])).toEqual(['order_lines']);
      expect(diffSchema([info], await introspect(db, [info]), dialect)).toEqual({ up: [], down: [], warnings: [] });
      const lines = model(db, target);
      const line = await lines.create({ price: 3, amount: 4 });
      expect(line.total).toBe(12);
      // A row that was read is written back without it.
      await lines.update(Object.assign(line, { price: 5, total: 1 }));
      expect(await lines.where({ column: 'total', op: 'eq', value: 20 }).first()).toMatchObject({
        price: 5,
        total: 20,
      });
      const batch = [{ price: 1, amount: 1, total: 9 }, { price: 2, amount: 2 }]; // prettier-ignore
      expect(await lines.createBatch(batch)).toBe(2);
      expect(await lines.where({ column: 'total', op: 'eq', value: 9 }).count()).toBe(0);
      await lines.save(Object.assign(line, { price: 7 }));
      expect((await lines.where({ column: 'total', op: 'gt', value: 20 }).first())?.total).toBe(28);
      await expect(lines.where({ column: 'price', op: 'gt', value: 0 }).updateAll({ column: 'total', value: 1 })).rejects.toMatchObject({ code: 'FW_ORM_READ_ONLY_COLUMN' }); // prettier-ignore
    });

    test('an index of some rows holds these apart, or is refused with a code', async () => {
      interface Subscriber {
        tenantId: number;
        email: string;
        joinedAt: Date;
        leftAt: Date | null;
      }
      const { info, target } = await load<Subscriber>('subscriber', 'Subscriber');
      if (!dialect.schema.partialIndexes) {
        await expect(createMissingTables(db, [info])).rejects.toMatchObject({ code: 'FW_MIGRATE_UNSUPPORTED' });
        return;
      }
      expect(await createMissingTables(db, [info])).toEqual(['subscribers']);
      expect(diffSchema([info], await introspect(db, [info]), dialect)).toEqual({ up: [], down: [], warnings: [] });
      const subscribers = model(db, target);
      await subscribers.create({ tenantId: 1, email: 'A@b.example', leftAt: new Date(0) });
      await subscribers.create({ tenantId: 1, email: 'a@B.example', leftAt: null });
      await expect(subscribers.create({ tenantId: 1, email: 'a@b.example', leftAt: null })).rejects.toThrow(/unique/i);
    });
  });
}
