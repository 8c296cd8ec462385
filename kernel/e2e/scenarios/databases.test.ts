import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type AddressedDatabase,
  describeDialects,
  testableDialects,
} from '../../../plugins/orm/contract/tested-dialects.js';
import { driverPackage, driverVersion } from '../../../plugins/orm/registry/index.js';
import { runProcess, startProcess } from '../../process/index.js';
import { assertGreen, INSTALL_MS, installedFramework, installProject, run } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

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
    const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 };
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

describe('a project in an empty folder outside the repository, on each database', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-pull-'));
    project = path.join(folder, 'legacy');
    library = path.join(folder, 'library');
    const framework = await installedFramework();
    assertGreen(await run(path.join(framework, 'node_modules/.bin/fw'), ['new', 'legacy'], folder));
    const file = path.join(project, 'package.json');
    const made = JSON.parse(await readFile(file, 'utf8')) as { dependencies: Record<string, string> };
    for (const driver of testableDialects.map(({ facts }) => driverPackage(facts))) {
      if (driver) made.dependencies[driver.package] = driverVersion(driver);
    }
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
    await nameVariable(at, options);
  }

  async function nameVariable(at: string, options: string): Promise<void> {
    const [, variable = ''] = /env\.(\w+)/.exec(options) ?? [];
    const file = path.join(at, 'app/environment.ts');
    // What the database before was chosen by is needed no more.
    const environment = (await readFile(file, 'utf8')).replace(/^ {2}DATABASE_URL.*\n/m, '');
    if (environment.includes(`${variable}: `)) return writeFile(file, environment);
    const line = `${variable}: Type.String(),`;
    expect((await firstModel()).text).toContain(`| \`${line}\` |`);
    await writeFile(file, environment.replace(/^}\);/m, `  ${line}\n});`));
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

  async function runsFirstModel(dialect: string, env: Readonly<Record<string, string>>): Promise<void> {
    const { text, blocks } = await firstModel();
    const [, options = ''] = new RegExp(`^\\|[^|]*\\| \`(\\{ driver: '${dialect}'.*?\\})\``, 'm').exec(text) ?? [];
    await choose(library, options);
    assertGreen(await run('npm', ['run', 'build'], library));
    const command = path.join(library, 'node_modules/.bin/fw');
    const app = await startProcess({ command, args: ['start'], cwd: library, env: { PORT: '0', ...env } });
    try {
      const [, url = ''] = await app.waitForLine(/Application +(http:\/\/127\.0\.0\.1:\d+)/, {
        timeoutMs: PATIENCE_MS,
      });
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
    expect(said).toContainEqual(
      expect.stringMatching(
        /^built \d+ files into dist\/ \(changed: .*\)\nthe database is what the models say\nno migration makes /,
      ),
    );
    expect(said.at(-1)).toMatch(/^wrote .*_baseline\.up\.sql\nnoted \d+ baseline as applied; nothing of it was run\n$/);
    const person = await readFile(path.join(project, 'app/models/person.ts'), 'utf8');
    expect(person).toContain("fk: ['country', 'region'], references: ['country', 'code'], onUpdate: 'cascade'");
    expect(person).toMatch(/nick_is_short: '.*nick/);
  }

  describeDialects('a database', ({ facts, create, existing }, server) => {
    const { name, address } = facts;
    const withDatabase = async (use: (database: AddressedDatabase) => Promise<void>) => {
      const database = await create(server);
      try {
        await use(database);
      } finally {
        await database.drop();
      }
    };

    test('the first model of the README serves, with the line of the configuration that it shows', () =>
      withDatabase((database) => runsFirstModel(name, { [address.variable]: database.address })));

    test('a database that is there becomes models that say the same', () =>
      withDatabase(async (database) => {
        await database.handle.script(existing);
        const options = `{ driver: '${name}', ${address.option}: env.${address.variable}, schema: 'none' }`;
        await becomesModels(options, { [address.variable]: database.address });
      }));
  });
});
