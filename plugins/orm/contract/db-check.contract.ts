import { beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, rmSync } from 'node:fs';
import { checkDatabase, runDbCheck, type DbCheckResult } from '../db-check/index.js';
import { type Database } from '../index.js';
import type { Subject } from './subject.js';
import { withTables } from './with-tables.js';
import type { WorldSchema } from './world-schema.js';

// Without types, because a checkout has no declarations of the framework until it is packed.
const UNTYPED = { types: 'not asked for' };

/** What `fw db check` must find in every real database: nothing in one that is read as it is, and else what is wrong, and where. */
export function dbCheckContract({ name, dialect, create }: Subject, world: WorldSchema): void {
  describe(`fw db check on ${name}`, () => {
    let db: Database;
    const check = (options: object = {}) =>
      checkDatabase({ db, root: process.cwd(), print: () => undefined, types: false, ...options });
    const run = async (statements: readonly string[]) => {
      for (const statement of statements) await db.sqlDB().script(statement);
    };

    withTables(create, dialect, [], (opened) => (db = opened));

    beforeAll(async () => {
      await run(world.sql);
    }, 240_000);

    test('finds a database of shapes that others have as it is, and leaves it so', async () => {
      const before = await db.sqlDB().query(world.probe, []);
      const { problems, notes, ...rest } = await check({ write: true });
      expect(problems).toEqual([]);
      const told = notes.flatMap(({ note, places }) =>
        places.length === 0 ? [note] : places.map((each) => `${each} ${note}`),
      );
      for (const note of world.notes) expect(told).toContainEqual(expect.stringContaining(note));
      const { tables, models = tables, rows, written } = world;
      expect(rest).toMatchObject({
        ok: true,
        dialect: dialect.name,
        tables,
        models,
        rows,
        written,
        skipped: UNTYPED,
      });
      expect(await db.sqlDB().query(world.probe, [])).toEqual(before);
    }, 240_000);

    test('names column, number and the first of what is read otherwise, or not at all', async () => {
      await run(world.spoil);
      const lines: string[] = [];
      const said = async (options: object) => {
        lines.length = 0;
        const print = (line: string) => lines.push(line);
        return runDbCheck({ db, root: process.cwd(), keep: true, print, types: false, ...options });
      };
      expect(await said({ json: true })).toBe(1);
      const { problems, notes, skipped } = JSON.parse(lines.join('\n')) as DbCheckResult;
      expect(skipped).toEqual({ ...UNTYPED, write: 'only with --write' });
      expect(problems).toEqual(
        world.spoilt.map(([place, problem, example]) => ({
          ...{ step: 'cells', place, count: 1 },
          problem: expect.stringContaining(problem),
          example: expect.stringContaining(example),
        })),
      );
      const folder = notes.find(({ note }) => note === 'holds the models')?.places[0];
      expect(existsSync(`${folder}/app/models`)).toBe(true);
      rmSync(folder as string, { recursive: true });
    }, 240_000);
  });
}
