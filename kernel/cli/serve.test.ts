import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../testing/until.js';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const inText = JSON.stringify;

// One route fails after its answer, while another is still at work: it answers only once the process was told to end.
const CONFIG = `import { defineApp, definePlugin, HttpRoutes, plugin } from ${inText(path.join(DIST, 'kernel/index.js'))};
let release;
const released = new Promise((resolve) => (release = resolve));
const failures = {
  rejection: () => void Promise.reject(new Error('a late rejection')),
  exception: () => setImmediate(() => { throw new Error('a late exception'); }),
  words: () => void Promise.reject('no error at all'),
};
const app = definePlugin({
  id: 'app', category: 'app', description: 'fails late', needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, () => ({ name: 'app', register(router) {
      router.get('/slow', async (ctx) => { console.log('slow began'); await released; ctx.body = 'finished'; });
      router.get('/fail/:how', (ctx) => { failures[ctx.params.how](); ctx.body = 'answered'; });
    } }));
  },
  stop() { setInterval(() => {}, 60_000); },
});
process.on('uncaughtException', () => setImmediate(release));
export default defineApp({
  name: 'failing',
  plugins: [plugin(() => import(${inText(path.join(DIST, 'plugins/http/index.js'))}), { port: 0 }), plugin(async () => ({ default: app }))],
});
`;

const start = (config: string) =>
  spawn(process.execPath, [path.join(DIST, 'kernel/bin/fw.js'), 'start', '--config', config], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('close', resolve));

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'fw-serve-'));
  await writeFile(path.join(home, 'app.config.mjs'), CONFIG);
});
afterAll(() => rm(home, { recursive: true, force: true }));

test('a start that failed ends the process, whatever a plugin left running', async () => {
  const config = path.join(home, 'left-running.config.mjs');
  const register = `() => { setInterval(() => {}, 60_000); throw new Error('not today'); }`;
  const app = `{ id: 'app', category: 'app', description: 'does not start', register: ${register} }`;
  await writeFile(
    config,
    `import { defineApp, definePlugin, plugin } from ${inText(path.join(DIST, 'kernel/index.js'))};
const app = definePlugin(${app});
export default defineApp({ name: 'failing', plugins: [plugin(async () => ({ default: app }))] });`,
  );
  const child = start(config);
  const errors = text(child.stderr);
  expect(await ended(child)).toBe(1);
  expect(await errors).toContain('not today');
});

describe('an error that nobody caught', () => {
  test.each([
    ['rejection', 'a late rejection'],
    ['exception', 'a late exception'],
    ['words', 'no error at all'],
  ])('is logged (%s), requests in flight are answered, and the process ends with 1', async (how, message) => {
    const child = start('app.config.mjs');
    try {
      const code = ended(child);
      const errors = text(child.stderr);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      await until(() => output.includes('failing is up') && address() !== undefined, `the start: ${output}`);
      const slow = fetch(`${address()}/slow`);
      await until(() => output.includes('slow began'), `the slow request: ${output}`);
      const failing = await fetch(`${address()}/fail/${how}`);
      expect(await failing.text()).toBe('answered');
      expect(await (await slow).text()).toBe('finished');
      expect(await code).toBe(1);
      const lines = output.split('\n').filter((line) => line.includes('"msg":"An error that nobody caught"'));
      expect(lines).toEqual([expect.stringContaining(message)]);
      expect(await errors).toBe('');
    } finally {
      child.kill('SIGKILL');
    }
  });
});
