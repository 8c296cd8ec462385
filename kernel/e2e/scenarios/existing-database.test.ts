import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MYSQL, mysqlDatabase, POSTGRES, postgresDatabase } from '../../../plugins/orm/contract/test-servers.js';
import { openSqlite } from '../../../plugins/orm/dialect-sqlite/index.js';
import { runProcess } from '../../process/index.js';
import { describeWith } from '../../testing/required-service.js';
import { EXISTING } from './existing-schemas.js';
import { assertGreen, INSTALL_MS, installedFramework, installProject, run } from './installed-framework.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const STEP_MS = 180_000;

let folder: string;
let project: string;

/** The commands of the guide, one a line, as a reader would enter them. */
async function commandsOfGuide(): Promise<readonly string[]> {
  const guide = await readFile(path.join(ROOT, 'docs/guides/migrations.md'), 'utf8');
  const [, section = ''] = guide.split('## Start from a database that exists');
  const [, block = ''] = /```bash\n([\s\S]*?)```/.exec(section) ?? [];
  return block.split('\n').filter((line) => line.startsWith('npx '));
}

async function followGuide(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const bin = path.join(project, 'node_modules/.bin');
  const said: string[] = [];
  for (const line of await commandsOfGuide()) {
    const [command = '', ...args] = line
      .replace(/\s*#.*/, '')
      .split(/\s+/)
      .slice(1);
    const limits = { timeoutMs: 120_000, maxOutputBytes: 100_000 };
    const ended = await runProcess({ command: path.join(bin, command), args, cwd: project, env, ...limits });
    said.push(assertGreen(ended).stdout);
  }
  return said;
}

describe('a database that is there already, and a project in an empty folder outside the repository', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-pull-'));
    project = path.join(folder, 'legacy');
    const framework = await installedFramework();
    assertGreen(await run(path.join(framework, 'node_modules/.bin/fw'), ['new', 'legacy'], folder));
    const drivers = JSON.parse(await readFile(path.join(ROOT, 'kernel/testing/tools/package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const file = path.join(project, 'package.json');
    const made = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
    for (const name of ['pg', 'mysql2']) made.dependencies[name] = drivers.dependencies[name] ?? '';
    await writeFile(file, JSON.stringify(made));
    await installProject(project);
  }, INSTALL_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function becomesModels(options: string, env: Readonly<Record<string, string>>): Promise<void> {
    const file = path.join(project, 'app.config.ts');
    const config = await readFile(file, 'utf8');
    const line = /\{ driver: [^}]*\}/;
    expect(config).toMatch(line);
    await writeFile(file, config.replace(line, options));
    for (const made of ['app/models', 'app/migrations', 'dist'])
      await rm(path.join(project, made), { recursive: true, force: true });
    const said = await followGuide(env);
    expect(said.join('')).toContain('wrote people.ts');
    expect(said.at(-1)).toBe('the database is what the models say\n');
    const people = await readFile(path.join(project, 'app/models/people.ts'), 'utf8');
    expect(people).toContain("fk: ['country', 'region'], references: ['country', 'code'], onUpdate: 'cascade'");
    expect(people).toMatch(/nick_is_short: '.*nick/);
  }

  test(
    'are one on SQLite, by the commands of the guide',
    async () => {
      const database = path.join(folder, 'legacy.sqlite');
      const handle = await openSqlite(database);
      await handle.script(EXISTING.sqlite);
      await handle.close();
      await becomesModels("{ driver: 'sqlite', file: env.DATABASE_FILE, schema: 'none' }", { DATABASE_FILE: database });
    },
    STEP_MS,
  );

  describeWith(POSTGRES, 'on PostgreSQL', (url) => {
    test(
      'are one, by the commands of the guide',
      async () => {
        const database = await postgresDatabase(url);
        try {
          await database.handle.script(EXISTING.postgres);
          const options = "{ driver: 'postgres', url: env.DATABASE_URL, schema: 'none' }";
          await becomesModels(options, { DATABASE_URL: database.url });
        } finally {
          await database.drop();
        }
      },
      STEP_MS,
    );
  });

  describeWith(MYSQL, 'on MySQL', (url) => {
    test(
      'are one, by the commands of the guide',
      async () => {
        const database = await mysqlDatabase(url);
        try {
          await database.handle.script(EXISTING.mysql);
          const options = "{ driver: 'mysql', url: env.DATABASE_URL, schema: 'none' }";
          await becomesModels(options, { DATABASE_URL: database.url });
        } finally {
          await database.drop();
        }
      },
      STEP_MS,
    );
  });
});
