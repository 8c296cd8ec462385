import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startProcess } from '../process/index.js';
import { PATIENCE_MS } from '../testing/patience.js';

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
  startProcess({
    command: process.execPath,
    args: [path.join(DIST, 'kernel/bin/fw.js'), 'start', '--config', config],
    cwd: home,
  });
const soon = { timeoutMs: PATIENCE_MS };

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'fw-serve-'));
  await writeFile(path.join(home, 'app.config.mjs'), CONFIG);
});
afterAll(() => rm(home, { recursive: true, force: true }));

test('an error that nobody caught ends a boot as well, what had started is stopped, and it is named', async () => {
  const config = path.join(home, 'early.config.mjs');
  await writeFile(
    config,
    `import { defineApp, definePlugin, plugin } from ${inText(path.join(DIST, 'kernel/index.js'))};
const first = definePlugin({ id: 'first', category: 'app', description: 'stops', start() {}, stop() { console.log('first stopped'); } });
const app = definePlugin({ id: 'app', category: 'app', description: 'waits for nobody', needs: ['first'], async start() {
  void Promise.reject(new Error('too early'));
  await new Promise((done) => setTimeout(done, 50));
} });
export default defineApp({ name: 'failing', plugins: [plugin(async () => ({ default: first })), plugin(async () => ({ default: app }))] });`,
  );
  const child = await start(config);
  expect(await child.exited).toMatchObject({ exitCode: 1 });
  const told = child.recentLines().join('\n');
  expect(told).toContain('first stopped');
  expect(told).toMatch(/FW_CLI_UNCAUGHT: An uncaught error ended the start of failing: Error: too early\n\s+at /);
});

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
  const child = await start(config);
  expect(await child.exited).toMatchObject({ exitCode: 1 });
  expect(child.recentLines().join('\n')).toContain('not today');
});

describe('an error that nobody caught', () => {
  test.each([
    ['rejection', 'a late rejection'],
    ['exception', 'a late exception'],
    ['words', 'no error at all'],
  ])('is logged (%s), requests in flight are answered, and the process ends with 1', async (how, message) => {
    const child = await start('app.config.mjs');
    try {
      const [address] = await child.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, soon);
      const slow = fetch(`${address}/slow`);
      await child.waitForLine(/slow began/, soon);
      const failing = await fetch(`${address}/fail/${how}`);
      expect(await failing.text()).toBe('answered');
      expect(await (await slow).text()).toBe('finished');
      expect(await child.exited).toMatchObject({ exitCode: 1 });
      const told = child.recentLines().filter((line) => line.includes('"msg":"An error that nobody caught"'));
      expect(told).toEqual([expect.stringContaining(message)]);
    } finally {
      await child.stop();
    }
  });
});
