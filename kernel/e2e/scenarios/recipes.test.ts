import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProcess } from '../../process/index.js';
import { describeWith } from '../../testing/required-service.js';
import { CONTAINERS, ImageRoom } from './image-room.js';
import { assertGreen, copyOfSharedProject, INSTALL_MS, run } from './installed-framework.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const GUIDE = path.join(ROOT, 'docs/guides/recipes.md');
/** A block, and the file that the line in front of it names. */
const BLOCKS = /(?:`([\w./-]+)`:\n\n)?```(ts|bash)\n([\s\S]*?)^```$/gm;
/** What the shared installation has done already. */
const MADE = /^(fw new|cd|npm install)\b/;
const STEP_MS = 180_000;

let folder: string;
let project: string;
let said: string;

/** Does what the page says, line by line and in its order, and nothing besides. @returns what the commands said */
async function follow(guide: string): Promise<string> {
  const output: string[] = [];
  for (const [, file, kind, code = ''] of guide.matchAll(BLOCKS)) {
    if (kind === 'ts') {
      if (file === undefined) throw new TypeError(`No line names the file of this block: ${code.slice(0, 80)}`);
      await mkdir(path.dirname(path.join(project, file)), { recursive: true });
      await writeFile(path.join(project, file), code);
      continue;
    }
    for (const line of code
      .trim()
      .split('\n')
      .filter((each) => !MADE.test(each))) {
      const ended = assertGreen(await run('sh', ['-c', line], project, STEP_MS));
      output.push(`$ ${line}\n${ended.stdout}${ended.stderr}`);
    }
  }
  return output.join('\n');
}

// One check of the types is enough, and the bundle has it.
async function buildWithoutCheck(): Promise<void> {
  const file = path.join(project, 'package.json');
  const text = await readFile(file, 'utf8');
  const fast = text.replace('"fw codegen && fw build"', '"fw codegen && fw build --no-check"');
  expect(fast).not.toBe(text);
  await writeFile(file, fast);
}

async function start() {
  const secrets = { JWT_SECRET: 's'.repeat(32), JWT_REFRESH_SECRET: 'r'.repeat(32) };
  const env = {
    ...process.env,
    ...secrets,
    NODE_ENV: 'production',
    PORT: '0',
    DATABASE_FILE: path.join(project, '.fw/app.sqlite'),
  };
  const app = await startProcess({ command: process.execPath, args: ['dist/bundle/start.js'], cwd: project, env });
  const [url = ''] = await app.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
  return { url, stop: () => app.stop({ graceMs: 5_000 }) };
}

const NOTE = { title: 'Both', body: '', tags: ['b', 'a'] };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const post = (url: string, body: unknown, token?: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== undefined && bearer(token)) },
    body: JSON.stringify(body),
  });

describe('the application of the recipes', () => {
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-recipes-')));
    project = path.join(folder, 'notes');
    await copyOfSharedProject(project);
    await buildWithoutCheck();
    said = await follow(await readFile(GUIDE, 'utf8'));
  }, INSTALL_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('comes from the page alone: three migrations, and tests that pass', () => {
    expect([...said.matchAll(/^applied \d+ (\w+)$/gm)].map(([, name]) => name)).toEqual([
      'people',
      'notes',
      'pictures',
    ]);
    expect(said).toMatch(/Tests: +9 passed, 9 total/);
    expect(existsSync(path.join(project, 'dist/bundle/start.js'))).toBe(true);
    expect(said).not.toContain('could not be found out');
  });

  test('has nothing that the lint rules of the project forbid', async () => {
    assertGreen(await run('npm', ['run', '-s', 'lint'], project, STEP_MS));
  });

  test('runs as its bundle, twice beside each other on the database that was migrated', async () => {
    const [one, two] = [await start(), await start()];
    try {
      const ada = { email: 'ada@example.com', password: 'correct horse battery' };
      expect((await post(`${one.url}/api/register`, { ...ada, team: 'blue' })).status).toBe(201);
      const { access } = (await (await post(`${two.url}/api/login`, ada)).json()) as { access: string };
      expect((await post(`${one.url}/api/notes`, NOTE, access)).status).toBe(201);
      const found = await fetch(`${two.url}/api/notes?tag=a`, { headers: bearer(access) });
      expect(await found.json()).toMatchObject({ notes: [{ title: 'Both', tags: ['a', 'b'] }], total: 1 });
      expect((await fetch(`${two.url}/readyz`)).status).toBe(200);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  describeWith(CONTAINERS, 'in a container', (runtime) => {
    let room: ImageRoom;
    beforeAll(async () => {
      room = await ImageRoom.open(runtime, path.join(folder, 'images'));
    });
    afterAll(() => room.close());

    test(
      'serves what was migrated in the volume',
      async () => {
        const image = await room.imageOf(project);
        const [volume = ''] = image.split(':');
        const secrets = ['--env-file', path.join(project, '.env')];
        const options = [...secrets, '--volume', `${volume}:/data`];
        try {
          const migrated = await room.do('run', '--rm', ...options, image, 'node', 'start.js', 'migrate', 'up');
          expect(migrated.match(/^applied/gm)).toHaveLength(3);
          await room.served(image, [...options, '--env', 'PICTURES=/data/pictures'], async ({ url }) => {
            const ada = { email: 'ada@example.com', password: 'correct horse battery' };
            expect((await post(`${url}/api/register`, { ...ada, team: 'blue' })).status).toBe(201);
            const { access } = (await (await post(`${url}/api/login`, ada)).json()) as { access: string };
            const { id } = (await (await post(`${url}/api/notes`, NOTE, access)).json()) as { id: number };
            const body = new FormData();
            body.set('picture', new Blob([Buffer.from('89504e470d0a1a0a', 'hex')]), 'x.png');
            const hung = await fetch(`${url}/api/notes/${id}/picture`, {
              method: 'PUT',
              body,
              headers: bearer(access),
            });
            expect(hung.status).toBe(204);
          });
        } finally {
          await room.do('volume', 'rm', '--force', volume);
        }
      },
      10 * STEP_MS,
    );
  });
});
