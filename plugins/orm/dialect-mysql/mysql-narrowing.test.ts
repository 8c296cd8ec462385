import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { describeWith } from '../../../kernel/testing/required-service.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { open, registerModel, type ColumnDefinition, type Database, type ModelInfo } from '../index.js';
import { diffSchema, introspect } from '../schema/index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';
import { mysql } from './index.js';

class Task {
  id!: number;
  state!: string;
  size!: number;
}

const ID: ColumnDefinition = { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true };

interface Said extends Partial<ColumnDefinition> {
  readonly checks?: Readonly<Record<string, string>>;
}

function tasks(values: readonly string[], { checks = {}, ...more }: Said = {}): ModelInfo {
  const state = { property: 'state', column: 'state', kind: 'enum', enumAs: 'native', values, ...more } as const;
  const size = { property: 'size', column: 'size', kind: 'int', default: '1' } as const;
  const definition = { name: 'Task', table: 'tasks', columns: [ID, state, size], checks };
  return registerModel(Task, definition) as unknown as ModelInfo;
}

// MySQL commits at every statement that changes a table: a refused one must be the first.
describeWith(MYSQL, 'A change that rows refuse leaves a MySQL table as it was', (url) => {
  let made: ServerDatabase;
  let db: Database;

  beforeAll(async () => {
    made = await mysqlDatabase(url);
    db = open(made.handle, mysql);
  });
  beforeEach(() => db.sqlDB().script('DROP TABLE IF EXISTS tasks'));
  afterAll(async () => {
    await db.close();
    await made.drop();
  });

  const run = (sql: readonly string[]) => db.sqlDB().script(sql.map((each) => `${each};`).join('\n'));
  const differenceTo = async (model: ModelInfo) => diffSchema([model], await introspect(db), mysql);
  const put = (value: string, column = 'state') =>
    db.sqlDB().script(`INSERT INTO tasks (${column}) VALUES ('${value}')`);
  const REFUSED = { code: 'FW_ORM_VALUE_REFUSED' };

  const bigger = { checks: { positive: 'size > 0' } };
  const CASES = [
    { what: 'its checks', before: tasks(['a', 'b', 'c'], bigger), after: tasks(['a', 'b'], {}) },
    {
      what: 'its checks and names',
      before: tasks(['a', 'b', 'c'], bigger),
      after: tasks(['a', 'b'], { column: 'phase', rename: 'state' }),
    },
    {
      what: 'texts that become an enum',
      before: tasks(['a', 'b', 'c'], { enumAs: 'check', ...bigger }),
      after: tasks(['a', 'b'], { column: 'phase', rename: 'state' }),
    },
  ];

  test.each(CASES)('on the way up, with $what', async ({ before, after }) => {
    await run((await differenceTo(before)).up);
    await put('c');
    const present = await introspect(db);
    const { up, down } = await differenceTo(after);
    await expect(run(up)).rejects.toMatchObject(REFUSED);
    expect(await introspect(db)).toEqual(present);
    await db.sqlDB().script(`DELETE FROM tasks WHERE state = 'c'`);
    await put('b');
    await run(up);
    expect(await differenceTo(after)).toMatchObject({ up: [] });
    await run(down);
    expect(await introspect(db)).toEqual(present);
  });

  test.each(CASES)('on the way down, with $what', async ({ before, after }) => {
    await run((await differenceTo(after)).up);
    const [{ name: column = '' } = {}] = after.columns.filter(({ property }) => property === 'state');
    // The other way round: what was taken away is new now.
    const back = registerBack(before, column);
    const present = await introspect(db);
    const { up, down } = await differenceTo(back);
    await run(up);
    await put('c');
    const wide = await introspect(db);
    await expect(run(down)).rejects.toMatchObject(REFUSED);
    expect(await introspect(db)).toEqual(wide);
    await db.sqlDB().script(`DELETE FROM tasks`);
    await run(down);
    expect(await introspect(db)).toEqual(present);
  });

  const registerBack = ({ definition }: ModelInfo, rename: string): ModelInfo =>
    registerModel(Task, {
      ...definition,
      columns: definition.columns.map((each) => (each.property === 'state' ? { ...each, rename } : each)),
    }) as unknown as ModelInfo;
});
