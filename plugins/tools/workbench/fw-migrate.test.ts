import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fwWriteMigration } from './fw-migrate.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-migrate-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A project whose `fw` answers a command of migrations as it is told. */
async function projectWhere(answer: object): Promise<void> {
  const program = path.join(root, 'node_modules/fw/dist/kernel/bin/fw.js');
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(path.join(root, 'app.config.ts'), '');
  await writeFile(
    program,
    `if (process.argv[2] === 'migrate') console.log(${JSON.stringify(JSON.stringify(answer))});`,
  );
}

async function written() {
  const context = { workspace: root, permit() {}, progress() {} } as never;
  const { summary, structured } = await fwWriteMigration.run({ name: 'first' }, context);
  return { summary, structured: structured as Readonly<Record<string, unknown>> };
}

const TABLE = (name: string) =>
  `CREATE TABLE "${name}" (\n${Array.from({ length: 40 }, (_, at) => `  "column_${at}" TEXT NOT NULL`).join(',\n')}\n)`;

test('of a migration that is written come the files, the counts and how it begins, and not its whole SQL', async () => {
  const statements = Array.from({ length: 30 }, (_, at) => TABLE(`table_${at}`));
  const files = ['up', 'down'].map((way) => `app/migrations/20260101000000_first.${way}.sql`);
  await projectWhere({
    statements,
    undo: statements.map((_, at) => `DROP TABLE "table_${at}"`),
    warnings: ['a column takes no null'],
    written: files.map((file) => path.join(root, file)),
    messages: ['wrote x', 'warning: a column takes no null'],
  });
  const { summary, structured } = await written();
  expect(summary).toBe(
    '2 file(s) with 30 statement(s), which are read there whole; add what moves rows there, then fw_migrate applies them.',
  );
  expect(structured).toMatchObject({ files, statements: 30, undo_statements: 30, warnings: ['a column takes no null'], messages: [] }); // prettier-ignore
  expect(structured['first_statements']).toHaveLength(5);
  expect(structured['first_statements']).toContainEqual(
    expect.stringMatching(/^CREATE TABLE "table_0" \( "column_0".*…$/),
  );
  expect(JSON.stringify(structured).length).toBeLessThan(1_200);
});

test('a short change is told whole', async () => {
  const statement = 'ALTER TABLE "books" ADD COLUMN "deleted_at" TEXT';
  await projectWhere({ statements: [statement], undo: [], warnings: [], written: [path.join(root, 'a.up.sql')], messages: [] }); // prettier-ignore
  expect((await written()).structured).toMatchObject({ first_statements: [statement], statements: 1 });
});

test('where nothing is to be written, that is what it says', async () => {
  await projectWhere({ messages: ['the database is what the models say'] });
  const { summary, structured } = await written();
  expect(summary).toBe('Nothing is written: see messages.');
  expect(structured).toMatchObject({ files: [], first_statements: [], statements: 0, messages: ['the database is what the models say'] }); // prettier-ignore
});
