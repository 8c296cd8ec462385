import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerDatabase } from '../../../plugins/orm/contract/test-servers.js';
import { MYSQL, mysqlDatabase } from '../../../plugins/orm/dialect-mysql/testing/mysql-server.js';
import { POSTGRES, postgresDatabase } from '../../../plugins/orm/dialect-postgres/testing/postgres-server.js';
import { openSqlite } from '../../../plugins/orm/dialect-sqlite/index.js';
import { runProcess, startProcess } from '../../process/index.js';
import { describeWith, type RequiredService } from '../../testing/required-service.js';
import { EXISTING } from './existing-schemas.js';
import { assertGreen, INSTALL_MS, installedFramework, installProject, run } from './installed-framework.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const STEP_MS = 180_000;

let folder: string;
let project: string;
let library: string;

/** The commands of the guide, one a line, as a reader would enter them. */
async function commandsOfGuide(): Promise<readonly string[]> {
  const guide = await readFile(path.join(ROOT, 'docs/guides/migrations.md'), 'utf8');
  const [, section = ''] = guide.split('## Start from a database that exists');
  const [, block = ''] = /```bash\n([\s\S]*?)```/.exec(section) ?? [];
  return block.split('\n').filter((line) => /^np[xm] /.test(line));
}

async function followGuide(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const bin = path.join(project, 'node_modules/.bin');
  const said: string[] = [];
  for (const line of await commandsOfGuide()) {
    const words = line.replace(/\s*#.*/, '').replace('npx --no -- ', `${bin}/`);
    const [command = '', ...args] = words.split(/\s+/);
    const limits = { timeoutMs: 120_000, maxOutputBytes: 100_000 };
    const ended = await runProcess({ command, args, cwd: project, env, ...limits });
    said.push(assertGreen(ended).stdout);
  }
  return said;
}

/** What the README shows for a heading of it: its blocks by language. */
async function firstModel(): Promise<{ readonly text: string; blocks(language: string): readonly string[] }> {
  const readme = await readFile(path.join(ROOT, 'README.md'), 'utf8');
  const [, rest = ''] = readme.split('## Your first model\n');
  const [text = ''] = rest.split('\n## ');
  const blocks = (language: string) =>
    [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block);
  return { text, blocks };
}

/** Answers to the requests that the README makes with curl. */
async function answers(url: string, commands: string): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const line of commands.split('\n').filter((each) => each.startsWith('curl '))) {
    const [, where = ''] = /http:\/\/127\.0\.0\.1:3000([^' ]*)/.exec(line) ?? [];
    const body = / -d '(.*)'/.exec(line)?.[1];
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${where}`, body === undefined ? {} : { method: 'POST', headers, body });
    found.push(await answer.json());
  }
  return found;
}

/** The line of app.config.ts that chooses the database. */
const CONFIG_LINE = /\{ driver: [^}]*\}/;

interface Server {
  readonly name: 'PostgreSQL' | 'MySQL';
  readonly driver: 'postgres' | 'mysql';
  readonly make: (url: string) => Promise<ServerDatabase>;
}

describe('a project in an empty folder outside the repository, on each database', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-pull-'));
    project = path.join(folder, 'legacy');
    library = path.join(folder, 'library');
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
    await makeLibrary();
  }, INSTALL_MS);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function choose(at: string, options: string): Promise<void> {
    const file = path.join(at, 'app.config.ts');
    const config = await readFile(file, 'utf8');
    expect(config).toMatch(CONFIG_LINE);
    await writeFile(file, config.replace(CONFIG_LINE, options));
  }

  // The files of the README, as a reader would write them.
  async function makeLibrary(): Promise<void> {
    assertGreen(await run(path.join(project, 'node_modules/.bin/fw'), ['new', 'library'], folder));
    // What it needs is installed next door.
    await symlink(path.join(project, 'node_modules'), path.join(library, 'node_modules'));
    const { blocks } = await firstModel();
    const [, generate = ''] = /npx --no -- fw (generate .*)/.exec(blocks('sh')[0] ?? '') ?? [];
    assertGreen(await run(path.join(library, 'node_modules/.bin/fw'), generate.split(' '), library));
    const [modelFile = '', routeFile = ''] = blocks('ts');
    await mkdir(path.join(library, 'app/models'), { recursive: true });
    await writeFile(path.join(library, 'app/models/book.ts'), modelFile);
    await writeFile(path.join(library, 'app/routes/books.ts'), routeFile);
    assertGreen(await run('npm', ['run', 'typecheck'], library));
  }

  async function runsFirstModel(database: string, env: Readonly<Record<string, string>>): Promise<void> {
    const { text, blocks } = await firstModel();
    const [, options = ''] = new RegExp(`^\\| ${database}[^|]*\\| \`(\\{ driver: .*?\\})\``, 'm').exec(text) ?? [];
    await choose(library, options);
    assertGreen(await run('npm', ['run', 'build'], library));
    const command = path.join(library, 'node_modules/.bin/fw');
    const app = await startProcess({ command, args: ['start'], cwd: library, env: { PORT: '0', ...env } });
    try {
      const [, url = ''] = await app.waitForLine(/Application +(http:\/\/127\.0\.0\.1:\d+)/, { timeoutMs: 60_000 });
      expect(await answers(url, blocks('sh')[1] ?? '')).toEqual([
        { id: 1, title: 'Emma', priceCents: 900, readAt: null },
        { id: 2, title: 'Persuasion', priceCents: 700, readAt: null },
        [{ id: 2, title: 'Persuasion', priceCents: 700, readAt: null }],
      ]);
    } finally {
      await app.stop({ graceMs: 5_000 });
    }
  }

  async function becomesModels(options: string, env: Readonly<Record<string, string>>): Promise<void> {
    await choose(project, options);
    for (const made of ['app/models', 'app/migrations', 'dist'])
      await rm(path.join(project, made), { recursive: true, force: true });
    const said = await followGuide(env);
    expect(said.join('')).toContain('wrote person.ts');
    expect(said.at(-1)).toBe('the database is what the models say\n');
    const person = await readFile(path.join(project, 'app/models/person.ts'), 'utf8');
    expect(person).toContain("fk: ['country', 'region'], references: ['country', 'code'], onUpdate: 'cascade'");
    expect(person).toMatch(/nick_is_short: '.*nick/);
  }

  test('the first model of the README serves on SQLite', () => runsFirstModel('SQLite', {}), STEP_MS);

  test(
    'a database that is there becomes models that say the same, on SQLite',
    async () => {
      const database = path.join(folder, 'legacy.sqlite');
      const handle = await openSqlite(database);
      await handle.script(EXISTING.sqlite);
      await handle.close();
      await becomesModels("{ driver: 'sqlite', file: env.DATABASE_FILE, schema: 'none' }", { DATABASE_FILE: database });
    },
    STEP_MS,
  );

  describeServer(POSTGRES, { name: 'PostgreSQL', driver: 'postgres', make: postgresDatabase });
  describeServer(MYSQL, { name: 'MySQL', driver: 'mysql', make: mysqlDatabase });

  function describeServer(service: RequiredService, { name, driver, make }: Server): void {
    describeWith(service, `on ${name}`, (url) => {
      const withDatabase = async (use: (database: ServerDatabase) => Promise<void>) => {
        const database = await make(url);
        try {
          await use(database);
        } finally {
          await database.drop();
        }
      };

      test(
        'the first model of the README serves, with another line of the configuration',
        () => withDatabase((database) => runsFirstModel(name, { DATABASE_URL: database.address })),
        STEP_MS,
      );

      test(
        'a database that is there becomes models that say the same',
        () =>
          withDatabase(async (database) => {
            await database.handle.script(EXISTING[driver]);
            const options = `{ driver: '${driver}', url: env.DATABASE_URL, schema: 'none' }`;
            await becomesModels(options, { DATABASE_URL: database.address });
          }),
        STEP_MS,
      );
    });
  }
});
