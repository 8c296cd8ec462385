import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../testing/until.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');
const inText = JSON.stringify;

/** Longer than what counts as one press of Ctrl-C. */
const ANOTHER_PRESS_MS = 400;

const FILES = {
  'package.json': inText({
    name: 'watched',
    type: 'module',
    scripts: { start: 'node start.mjs', 'with-shell': `node ${FW} start --config app.config.mjs && true` },
  }),
  'app.config.mjs': `import { appendFileSync } from 'node:fs';
import { defineApp, definePlugin, plugin } from ${inText(path.join(ROOT, 'dist/kernel/index.js'))};
const note = (text) => appendFileSync(process.env.NOTES, text + '\\n');
let work;
const app = definePlugin({
  id: 'app', category: 'app', description: 'notes when it starts and stops', stopDeadlineMs: 60_000,
  start() {
    note('started');
    work = setInterval(() => {}, 60_000);
  },
  stop() {
    note('stopping');
    if (process.env.HANGS) return new Promise(() => {});
    clearInterval(work);
    note('stopped');
  },
});
export default defineApp({ name: 'watched', plugins: [plugin(async () => ({ default: app }))] });
`,
  'start.mjs': `import { runForwardingSignals } from ${inText(path.join(ROOT, 'kernel/bin/run.mjs'))};
process.exitCode = await runForwardingSignals(process.execPath, [${inText(FW)}, 'start', '--config', 'app.config.mjs']);
`,
  'services.mjs': `import { spawn } from 'node:child_process';
const env = { ...process.env, FW_STARTED_BY: process.pid };
for (let count = 0; count < 2; count++)
  spawn(process.execPath, [${inText(FW)}, 'start', '--config', 'app.config.mjs'], { env, stdio: 'inherit' });
`,
};

// What a supervisor starts, and how many applications come of it.
const TREES = {
  'npm and a start script': { command: ['npm', 'start'], apps: 1 },
  'npm and a shell': { command: ['npm', 'run', 'with-shell'], apps: 1 },
  'a script with two services': { command: ['node', 'services.mjs'], apps: 2 },
} as const;
type Tree = keyof typeof TREES;

// Beginnings of command lines, which the kernel keeps with NUL between the words.
const [SCRIPT, SERVICES, SHELL] = ['node\0start.mjs', 'node\0services.mjs', 'sh\0-c'];

let home: string;
const left = new Set<ChildProcess>();

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'fw-supervised-'));
  for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(home, name), text);
});
afterAll(async () => {
  for (const { pid } of left) for (const each of livingIn(pid as number)) process.kill(each.pid, 'SIGKILL');
  await rm(home, { recursive: true, force: true });
});

interface Supervised {
  /** Process ids by the words that they were asked for with. */
  pidOf(words: string): number;
  notes(): Promise<readonly string[]>;
  /** Exit code and signal of the outermost process, once nobody is left. */
  ended(): Promise<readonly [number | null, NodeJS.Signals | null]>;
}

// As supervisors do it: a session of its own, output into a pipe. Whoever lives in that session belongs to it.
async function supervised(tree: Tree, env: Record<string, string> = {}): Promise<Supervised> {
  const { command, apps } = TREES[tree];
  const notesFile = path.join(home, `notes-${process.hrtime.bigint()}`);
  await writeFile(notesFile, '');
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: home,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutNpm(process.env), NOTES: notesFile, ...env },
  });
  left.add(child);
  const exit = new Promise<readonly [number | null, NodeJS.Signals | null]>((done) =>
    child.once('exit', (code, signal) => done([code, signal])),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => output.split('watched is up').length > apps, `start of ${tree}: ${output}`);
  const session = child.pid as number;
  return {
    pidOf: (words) => livingIn(session).find(({ commandLine }) => commandLine.includes(words))?.pid as number,
    notes: async () => (await readFile(notesFile, 'utf8')).trim().split('\n'),
    async ended() {
      const ending = await exit;
      await until(() => livingIn(session).length === 0, `end of ${livingIn(session).map((each) => each.commandLine)}`);
      left.delete(child);
      return ending;
    },
  };
}

// The tests may themselves have been started by npm.
const withoutNpm = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_')));

function livingIn(session: number): readonly { readonly pid: number; readonly commandLine: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, , , its] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return Number(its) === session && state !== 'Z' ? [{ pid, commandLine }] : [];
    } catch {
      // It ended while it was looked at.
      return [];
    }
  });
}

// A shell that waits for its command keeps SIGINT to itself, so npm passes that on to nobody; a terminal sends it to all.
const ENDINGS: readonly (readonly [Tree, string, readonly NodeJS.Signals[]])[] = [
  ['npm and a start script', 'npm start', ['SIGTERM', 'SIGHUP', 'SIGKILL']],
  ['npm and a start script', SCRIPT, ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL']],
  ['npm and a start script', FW, ['SIGTERM', 'SIGINT', 'SIGHUP']],
  ['npm and a shell', 'npm run', ['SIGTERM', 'SIGHUP', 'SIGKILL']],
  ['npm and a shell', SHELL, ['SIGTERM', 'SIGHUP', 'SIGKILL']],
  ['a script with two services', SERVICES, ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL']],
];

(process.platform === 'linux' ? describe : describe.skip)('an application under a supervisor', () => {
  test.each(ENDINGS)('of %s finishes and leaves nobody when %j alone gets a signal', async (tree, whom, signals) => {
    await Promise.all(
      signals.map(async (signal) => {
        const { pidOf, ended, notes } = await supervised(tree);
        process.kill(pidOf(whom), signal);
        await ended();
        const { apps } = TREES[tree];
        const each = (note: string) => Array.from({ length: apps }, () => note);
        expect((await notes()).toSorted()).toEqual([...each('started'), ...each('stopped'), ...each('stopping')]);
      }),
    );
  });

  test('whose every process gets the signal, and which npm and the start script pass on besides, finishes', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { pidOf, ended, notes } = await supervised('npm and a start script');
      process.kill(-pidOf('npm start'), signal);
      await ended();
      expect(await notes()).toEqual(['started', 'stopping', 'stopped']);
    }
  });

  test('that does not come to its end ends at the next Ctrl-C, not at the next SIGTERM', async () => {
    const { pidOf, ended, notes } = await supervised('npm and a start script', { HANGS: 'yes' });
    const starter = pidOf(SCRIPT);
    process.kill(starter, 'SIGTERM');
    await until(async () => (await notes()).includes('stopping'), 'beginning of the end');
    await delay(ANOTHER_PRESS_MS);
    process.kill(starter, 'SIGTERM');
    await delay(ANOTHER_PRESS_MS);
    expect(pidOf(FW)).toBeGreaterThan(0);
    process.kill(starter, 'SIGINT');
    expect(await ended()).toEqual([130, null]);
  });
});
