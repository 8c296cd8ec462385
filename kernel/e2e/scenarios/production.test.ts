import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newProject } from '../../../codegen/schematics/new/index.js';
import { packFramework } from '../../../codegen/schematics/new/pack-framework.js';
import { startProcess } from '../../process/index.js';
import { freePort } from '../../testing/free-port.js';
import { describeWith } from '../../testing/required-service.js';
import { until } from '../../testing/until.js';
import { assertGreen, INSTALL_MS, installProject, run } from './installed-framework.js';
import { CONTAINERS, ImageRoom } from './image-room.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const MINUTE = 60_000;

let folder: string;
let shop: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-production-')));
  const framework = await packFramework({ folder: ROOT });
  ({ path: shop } = await newProject({ name: 'shop' }, { parent: folder, log: () => undefined, framework }));
  await installProject(shop);
}, INSTALL_MS);
afterAll(() => rm(folder, { recursive: true }));

const bundle = () =>
  run(path.join(shop, 'node_modules/.bin/fw'), ['build', '--bundle', '--no-check'], shop, 5 * MINUTE);

/** Serves a bundle as a machine would that has nothing but Node. */
async function served(at: string, check: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const started = await startProcess({
    command: process.execPath,
    args: [path.join(at, 'start.js')],
    cwd: '/',
    env: { PORT: String(port), DATABASE_FILE: path.join(folder, 'shop.sqlite') },
    output: 'inherit',
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    'application that is ready',
  );
  await check(url).finally(() => started.stop({ graceMs: 20_000 }));
  expect((await started.exited).exitCode).toBe(0);
}

describe('fw build --bundle', () => {
  test(
    'makes one folder of at most 40 MB and 40 packages that Node alone serves, wherever it lies',
    async () => {
      const { stdout } = assertGreen(await run('npm', ['run', 'bundle'], shop, 5 * MINUTE));
      const [, packages, megabytes] = /(\d+) packages, ([\d.]+) MB into dist\/bundle/.exec(stdout) ?? [];
      expect(Number(packages)).toBeLessThanOrEqual(40);
      expect(Number(megabytes)).toBeLessThanOrEqual(40);
      const elsewhere = path.join(folder, 'elsewhere');
      await rename(path.join(shop, 'dist/bundle'), elsewhere);
      await served(elsewhere, async (url) => {
        expect(await (await fetch(url)).json()).toEqual({ status: 'ok' });
        const page = await (await fetch(`${url}/docsui`)).text();
        const [, script = ''] = /src="(docsui\/swagger-ui-bundle[^"]*)"/.exec(page) ?? [];
        expect((await fetch(`${url}/${script}`)).status).toBe(200);
      });
      const status = await run(process.execPath, [path.join(elsewhere, 'start.js'), 'migrate', 'status'], folder);
      expect(assertGreen(status).stdout).toContain('no migrations');
      const aggregator = await startProcess({
        command: process.execPath,
        args: [path.join(elsewhere, 'start.js'), 'start', 'aggregator'],
        cwd: '/',
        env: { FLEET_PORT: '0', FLEET_INGEST_TOKEN: 'token' },
      });
      await aggregator.waitForLine(/listening|is up/, { timeoutMs: PATIENCE_MS });
      await aggregator.stop({ graceMs: 20_000 });
    },
    10 * MINUTE,
  );

  test(
    'refuses a bundle that would lack something, and takes what package.json declares',
    async () => {
      const hidden = path.join(shop, 'node_modules/hidden-name');
      await mkdir(hidden);
      await writeFile(path.join(hidden, 'package.json'), JSON.stringify({ name: 'hidden-name', version: '1.0.0' }));
      await writeFile(path.join(hidden, 'index.js'), "module.exports = 'found';");
      await mkdir(path.join(shop, 'texts'));
      await writeFile(path.join(shop, 'texts/hello.txt'), 'hello');
      const plugin = await readFile(path.join(shop, 'app/index.ts'), 'utf8');
      const loading = [
        "import { readFileSync } from 'node:fs';",
        "import { createRequire } from 'node:module';",
        "createRequire(import.meta.url)(['hidden', 'name'].join('-'));",
        "readFileSync(['texts', 'hello.txt'].join('/'));",
      ];
      await writeFile(path.join(shop, 'app/index.ts'), `${loading.join('\n')}\n${plugin}`);
      const refused = await bundle();
      expect([refused.exitCode, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/FW_BUILD_BUNDLE: [^]*Cannot find module 'hidden-name'/),
      ]);
      const manifest = JSON.parse(await readFile(path.join(shop, 'package.json'), 'utf8')) as object;
      const declared = { ...manifest, fw: { runtime: ['hidden-name', './texts/**'] } };
      await writeFile(path.join(shop, 'package.json'), JSON.stringify(declared, null, 2));
      assertGreen(await bundle());
      await served(path.join(shop, 'dist/bundle'), async (url) => expect((await fetch(url)).status).toBe(200));
      // What was there stays, when the next one is refused.
      await writeFile(path.join(shop, 'package.json'), JSON.stringify({ ...declared, fw: { runtime: ['missing'] } }));
      const missing = await bundle();
      expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('missing')]);
      expect((await readFile(path.join(shop, 'dist/bundle/start.js'), 'utf8')).length).toBeGreaterThan(0);
      await writeFile(path.join(shop, 'package.json'), JSON.stringify(manifest, null, 2));
      await writeFile(path.join(shop, 'app/index.ts'), plugin);
    },
    10 * MINUTE,
  );
});

describeWith(CONTAINERS, 'the image of a new project', (runtime) => {
  let room: ImageRoom;
  beforeAll(async () => {
    room = await ImageRoom.open(runtime, path.join(folder, 'images'));
  }, 10 * MINUTE);
  afterAll(() => room.close(), 5 * MINUTE);

  test(
    'serves without root and in a read-only file system, keeps its rows in the volume, and ends when told to',
    async () => {
      assertGreen(await run('npm', ['run', 'bundle'], shop, 5 * MINUTE));
      const image = await room.imageOf(shop);
      const [volume = ''] = image.split(':');
      try {
        await room.served(
          image,
          ['--read-only', '--cap-drop=all', '--volume', `${volume}:/data`],
          async ({ id, url }) => {
            expect(await (await fetch(url)).json()).toEqual({ status: 'ok' });
            await room.do('healthcheck', 'run', id);
            const asked = 'process.getuid() + " " + require("fs").existsSync("/data/app.sqlite")';
            expect((await room.do('exec', id, 'node', '-p', asked)).trim()).toBe('1000 true');
            expect(await room.do('exec', id, 'node', 'start.js', 'migrate', 'status')).toContain('no migrations');
            await room.do('stop', '--time', '60', id);
            expect((await room.do('inspect', '--format', '{{.State.ExitCode}}', id)).trim()).toBe('0');
          },
        );
      } finally {
        await room.do('volume', 'rm', '--force', volume);
      }
    },
    30 * MINUTE,
  );
});
