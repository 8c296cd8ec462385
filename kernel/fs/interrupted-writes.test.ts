import type { Dirent } from 'node:fs';
import {
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { type RunningProcess, runProcess, startProcess } from '../process/index.js';
import { ChangeSet, fillNewFolder, interruptedWrites, recoverWrites } from './index.js';
import { PATIENCE_MS } from '../testing/patience.js';

// The process that commits ends like by kill -9 before every file system call that changes something, and in the middle of
// every write; then another one repairs. FW_TEST_EXHAUSTIVE=1 also ends that one at each of its calls.
const EXHAUSTIVE = process.env['FW_TEST_EXHAUSTIVE'] === '1';
const SHIM = path.resolve('kernel/testing/fault-at-call.mjs');

let home: string;
let bundle: string;
const stateDir = process.env['FW_MCP_STATE_DIR'];

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-interrupted-')));
  bundle = path.join(home, 'fs.mjs');
  await build({ entryPoints: ['kernel/fs/index.ts'], bundle: true, platform: 'node', format: 'esm', outfile: bundle });
  process.env['FW_MCP_STATE_DIR'] = path.join(home, 'state');
});
afterAll(async () => {
  if (stateDir === undefined) delete process.env['FW_MCP_STATE_DIR'];
  else process.env['FW_MCP_STATE_DIR'] = stateDir;
  await rm(home, { recursive: true });
});

const OLD: Readonly<Record<string, string>> = {
  'a.ts': 'old a',
  'app/b.ts': 'old b',
  'app/c.ts': 'old c',
  'mode.sh': 'sh',
};
const NEW: Readonly<Record<string, string>> = {
  ...{ 'a.ts': 'new a', 'app/b.ts': 'x'.repeat(100_000), 'mode.sh': 'sh' },
  ...{ 'app/new.ts': 'new', 'deep/er/one.ts': 'one', 'deep/two.ts': 'two' },
};

const COMMIT_IN = `async function commitIn(project) {
  const changes = await ChangeSet.open(project);
  await changes.write('a.ts', 'new a');
  await changes.write('app/b.ts', 'x'.repeat(100_000));
  await changes.delete('app/c.ts');
  await changes.write('app/new.ts', 'new');
  await changes.write('deep/er/one.ts', 'one');
  await changes.write('deep/two.ts', 'two');
  await changes.write('mode.sh', 'sh', 0o755);
  await changes.commit();
}`;
const COMMIT = `${COMMIT_IN} await commitIn(process.argv[1]);`;
const RECOVER = `console.log(JSON.stringify(await recoverWrites(process.argv[1])))`;

async function freshProject(): Promise<string> {
  const project = await mkdtemp(path.join(home, 'project-'));
  await mkdir(path.join(project, 'app'));
  for (const [name, text] of Object.entries(OLD)) await writeFile(path.join(project, name), text, { mode: 0o644 });
  return project;
}

/** Call at which the process is killed. */
interface Fault {
  readonly killAt?: number;
}

const inChild = (script: string, project: string, { killAt = 0 }: Fault = {}, under = project) => ({
  command: process.execPath,
  args: [
    ...['--import', SHIM, '--input-type=module', '-e'],
    `import { ChangeSet, fillNewFolder, recoverWrites, withFileLock } from ${JSON.stringify(bundle)}; ${script}`,
    project,
  ],
  cwd: home,
  env: {
    FW_MCP_STATE_DIR: path.join(home, 'state'),
    FW_KILL_AT: String(killAt),
    ...{ FW_FAULT_UNDER: under, FW_FAULT_COUNT: `${project}.count` },
  },
});

async function run(script: string, project: string, fault: Fault = {}) {
  const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 1_000_000 };
  return runProcess({ ...inChild(script, project, fault), ...limits });
}

async function killedAt(n: number, project: string): Promise<void> {
  expect((await run(COMMIT, project, { killAt: n })).signal).toBe('SIGKILL');
}

/** By call: a project whose commit was ended at it, and a copy of what that left. */
const ended = new Map<number, { readonly project: string; readonly left: string }>();

/**
 * A project whose commit was ended at a call. There is one for each call, made what it was at the kill whenever it is asked for: elsewhere
 * its journal would be a foreign one.
 */
async function interrupted(n: number): Promise<string> {
  const known = ended.get(n);
  if (known !== undefined) {
    await rm(known.project, { recursive: true });
    await copyTree(known.left, known.project);
    return known.project;
  }
  const project = await freshProject();
  const left = `${project}-left`;
  await killedAt(n, project);
  await copyTree(project, left);
  ended.set(n, { project, left });
  return project;
}

/** Copies a folder. Two names of one file stay that: by them a repair knows how far a switch came. */
async function copyTree(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const copies = new Map<number, string>();
  await mkdir(to);
  for (const entry of entries.filter((each) => each.isDirectory()))
    await mkdir(placeIn(to, from, entry), { recursive: true });
  for (const entry of entries.filter((each) => !each.isDirectory())) {
    const [source, copy] = [path.join(entry.parentPath, entry.name), placeIn(to, from, entry)];
    const { ino } = await stat(source);
    const earlier = copies.get(ino);
    if (earlier === undefined) await cp(source, copy, { preserveTimestamps: true });
    else await link(earlier, copy);
    copies.set(ino, copy);
  }
}

const placeIn = (to: string, from: string, { parentPath, name }: Dirent): string =>
  path.join(to, path.relative(from, path.join(parentPath, name)));

async function callsOf(script: string, project: string): Promise<number> {
  expect(await run(script, project)).toMatchObject({ exitCode: 0, stderr: '' });
  return Number(await readFile(`${project}.count`, 'utf8'));
}

async function treeOf(project: string): Promise<Record<string, string>> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  const named = files.map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(named.map(async (file) => [path.relative(project, file), await readFile(file, 'utf8')] as const)),
  );
}

async function foldersOf(project: string): Promise<readonly string[]> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** All old or all new, and nothing beside it. */
async function stateOf(project: string): Promise<'old' | 'new'> {
  const tree = await treeOf(project);
  const state = tree['a.ts'] === OLD['a.ts'] ? 'old' : 'new';
  expect(tree).toEqual(state === 'old' ? OLD : NEW);
  expect(await foldersOf(project)).toEqual(state === 'old' ? ['app'] : ['app', 'deep', 'er']);
  expect((await stat(path.join(project, 'mode.sh'))).mode & 0o777).toBe(state === 'old' ? 0o644 : 0o755);
  return state;
}

let calls: number;
/** First call at which the changes stand. */
let marked: number;
beforeAll(async () => {
  // The key of the state folder is made by the first commit.
  calls = await callsOf(COMMIT, await freshProject());
  expect(calls).toBeGreaterThan(40);
  let [old, fresh] = [0, calls];
  while (fresh - old > 1) {
    const middle = (old + fresh) >> 1;
    const project = await interrupted(middle);
    await recoverWrites(project);
    if ((await stateOf(project)) === 'old') old = middle;
    else fresh = middle;
  }
  marked = fresh;
});

async function inParallel(numbers: readonly number[], work: (n: number) => Promise<void>): Promise<void> {
  const waiting = numbers.values();
  await Promise.all(
    [1, 2, 3].map(async () => {
      for (const n of waiting) await work(n);
    }),
  );
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('a commit that is killed', () => {
  test('is undone or finished by the next command that writes, at whichever call it was killed', async () => {
    const outcomes: string[] = [];
    await inParallel(upTo(calls), async (n) => {
      const project = await interrupted(n);
      const seen = await interruptedWrites(project);
      expect(seen.map(({ outcome }) => outcome)).toEqual(seen.map(() => 'pending'));
      const recovered = await recoverWrites(project);
      const state = await stateOf(project);
      expect(recovered).toHaveLength(seen.length);
      for (const { outcome, left, files, text } of recovered) {
        expect({ outcome, left }).toEqual({ outcome: state === 'old' ? 'undone' : 'finished', left: [] });
        expect(files).toHaveLength(7);
        expect(text).toContain(state === 'old' ? 'everything is as it was before it' : 'everything is as it was to be');
      }
      expect(await recoverWrites(project)).toEqual([]);
      outcomes[n - 1] = state;
    });
    expect(outcomes).toEqual([...Array(marked - 1).fill('old'), ...Array(calls - marked + 1).fill('new')]);
  });

  test('is repaired even when the repair is killed as well, at any call', async () => {
    // Before the switches, among them, before the mark, and behind it.
    const places = EXHAUSTIVE ? upTo(calls) : [8, marked - 12, marked - 6, marked - 1, marked + 3];
    await inParallel(places, async (n) => {
      const repairCalls = await callsOf(RECOVER, await interrupted(n));
      for (let m = 1; m <= repairCalls; m += EXHAUSTIVE ? 1 : 5) {
        const project = await interrupted(n);
        // What had been done in parallel differs from run to run, so that the last calls may not be reached.
        const { signal } = await run(RECOVER, project, { killAt: m });
        if (m <= repairCalls / 2) expect(signal).toBe('SIGKILL');
        await recoverWrites(project);
        expect(await stateOf(project)).toBe(n < marked ? 'old' : 'new');
      }
    });
  }, 600_000);

  test('is repaired once by two processes that start at the same time', async () => {
    const project = await interrupted(marked - 1);
    const runs = await Promise.all([run(RECOVER, project), run(RECOVER, project), run(RECOVER, project)]);
    const done = runs.flatMap(({ stdout }) => JSON.parse(stdout) as readonly { outcome: string }[]);
    expect(done.map(({ outcome }) => outcome)).toEqual(['undone']);
    expect(await stateOf(project)).toBe('old');
  });

  test('is repaired by the next commit before that looks at the files', async () => {
    const project = await interrupted(marked - 1);
    const recovered: string[] = [];
    const changes = await ChangeSet.open(project);
    await changes.write('z.ts', 'z');
    await changes.commit({ onRecovered: ({ outcome }) => recovered.push(outcome) });
    expect(recovered).toEqual(['undone']);
    expect(await treeOf(project)).toEqual({ ...OLD, 'z.ts': 'z' });
  });
});

describe('a commit on a disk that fills up', () => {
  // One process for all calls: nothing has to be killed.
  const COMMIT_EACH = `
    import { inspect } from 'node:util';
    import { fillDiskFrom } from ${JSON.stringify(SHIM)};
    const told = [];
    for (const [at, project] of JSON.parse(process.argv[2])) {
      fillDiskFrom(at);
      told.push(await commitIn(project).then(() => undefined, inspect));
    }
    console.log(JSON.stringify(told.map((error) => error ?? null)));
  `;

  async function commitEach(faults: readonly (readonly [at: number, project: string])[]): Promise<(string | null)[]> {
    const child = inChild(`${COMMIT_IN} ${COMMIT_EACH}`, home);
    const args = [...child.args, JSON.stringify(faults)];
    const { stdout, stderr } = await runProcess({ ...child, args, timeoutMs: 300_000, maxOutputBytes: 10_000_000 });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as (string | null)[];
  }

  test('changes nothing and says why, at whichever call there was no space any more, and works once there is some', async () => {
    const projects = await Promise.all(upTo(calls).map(freshProject));
    const told = await commitEach(projects.map((project, index) => [index + 1, project]));
    const outcomes: string[] = [];
    for (const [index, project] of projects.entries()) {
      const error = told[index] ?? null;
      // What was put back may not be on the disk yet, which a power failure would show.
      const isTold = error === null || error.includes('FW_CHANGESET_ROLLBACK');
      const pending = (await recoverWrites(project)).map(({ left }) => left);
      expect({ index, pending: isTold ? [] : pending }).toEqual({ index, pending: [] });
      expect(pending.flat()).toEqual([]);
      const state = await stateOf(project);
      expect({ index, isDone: error === null }).toEqual({ index, isDone: state === 'new' });
      if (error !== null) expect(error).toMatch(/code: 'FW_\w+'/);
      if (error !== null) expect(error).toContain('ENOSPC');
      outcomes.push(state);
    }
    expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
    expect(outcomes[0]).toBe('old');
    const undone = projects.filter((_, index) => outcomes[index] === 'old');
    expect(await commitEach(undone.map((project) => [0, project]))).toEqual(undone.map(() => null));
    for (const project of undone) expect(await stateOf(project)).toBe('new');
  });
});

describe('what was changed after the kill', () => {
  test('is left as it is and named, and everything else is undone', async () => {
    const project = await interrupted(marked - 1);
    expect((await treeOf(project))['a.ts']).toBe('new a');
    await writeFile(path.join(project, 'a.ts'), 'mine');
    await writeFile(path.join(project, 'app/new.ts'), 'mine as well');
    const [recovered] = await recoverWrites(project);
    expect(recovered?.left.map(({ path: file }) => file).sort()).toEqual(['a.ts', 'app/new.ts']);
    expect(recovered?.text).toMatch(
      /a\.ts was left as it is: it was changed since; .* is in \.a\.ts\.[0-9a-f]+\.fw-kept/,
    );
    const { 'a.ts': mine, 'app/new.ts': other, ...rest } = await treeOf(project);
    expect([mine, other]).toEqual(['mine', 'mine as well']);
    const [kept] = Object.keys(rest).filter((name) => name.endsWith('.fw-kept'));
    expect(rest).toEqual({ ...without(OLD, 'a.ts'), [kept as string]: 'old a' });
    expect(await recoverWrites(project)).toEqual([]);
  });

  test('in a file that had not been switched yet is no second version', async () => {
    const project = await interrupted(marked - 12);
    const before = await treeOf(project);
    const untouched = Object.keys(OLD).filter((name) => before[name] === OLD[name]);
    for (const name of untouched) await writeFile(path.join(project, name), 'mine');
    const [recovered] = await recoverWrites(project);
    expect(recovered?.left).toEqual([]);
    expect(await treeOf(project)).toEqual({ ...OLD, ...Object.fromEntries(untouched.map((name) => [name, 'mine'])) });
  });

  test('is not followed out of the project', async () => {
    const project = await interrupted(marked - 1);
    const outside = await mkdtemp(path.join(home, 'outside-'));
    await cp(path.join(project, 'app'), outside, { recursive: true });
    const before = await treeOf(outside);
    await rm(path.join(project, 'app'), { recursive: true });
    await symlink(outside, path.join(project, 'app'));
    const [recovered] = await recoverWrites(project);
    expect(recovered?.left.map(({ path: file }) => file).sort()).toEqual(['app/b.ts', 'app/c.ts', 'app/new.ts']);
    expect(await treeOf(outside)).toEqual(before);
    expect(await readFile(path.join(project, 'a.ts'), 'utf8')).toBe('old a');
  });
});

const without = (tree: Readonly<Record<string, string>>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).filter(([each]) => each !== name));

describe('a journal that was not made here', () => {
  async function expectUntouched(project: string): Promise<void> {
    // The claim of the killed process goes with the first one who locks.
    await rm(path.join(project, '.fw/lock'), { recursive: true, force: true });
    const before = await treeOf(project);
    expect((await interruptedWrites(project)).map(({ outcome }) => outcome)).toEqual(['foreign']);
    const [recovered] = await recoverWrites(project);
    expect(recovered).toMatchObject({ outcome: 'foreign', left: [] });
    expect(recovered?.text).toMatch(/not made for this folder by this user on this machine, so nothing was touched/);
    expect(await treeOf(project)).toEqual(before);
  }

  test('is only reported: a copy of the project has it', async () => {
    const project = await interrupted(marked - 1);
    const copy = `${project}-copy`;
    await cp(project, copy, { recursive: true });
    await expectUntouched(copy);
  });

  test('is only reported: another user, or another machine, has another key', async () => {
    const project = await interrupted(marked - 1);
    const key = path.join(home, 'state/journal.key');
    await rename(key, `${key}.away`);
    try {
      await expectUntouched(project);
      await writeFile(key, Buffer.alloc(32), { mode: 0o600 });
      await expectUntouched(project);
    } finally {
      await rename(`${key}.away`, key);
    }
  });

  test.each<[string, (text: string) => string]>([
    ['a changed record', (text) => text.replace('app/b.ts', 'app/d.ts')],
    ['no signature', (text) => `-\n${text.slice(text.indexOf('\n') + 1)}`],
    ['a short signature', (text) => text.slice(2)],
    ['nothing in it', () => ''],
    ['one line', (text) => text.slice(0, text.indexOf('\n'))],
  ])('is only reported: it has %s', async (_, edit) => {
    const project = await interrupted(marked - 1);
    const [name] = await readdir(path.join(project, '.fw/journal'));
    const file = path.join(project, '.fw/journal', name as string);
    await writeFile(file, edit(await readFile(file, 'utf8')));
    await expectUntouched(project);
  });

  test('does not keep anybody from writing', async () => {
    const project = await freshProject();
    await mkdir(path.join(project, '.fw/journal'), { recursive: true });
    await writeFile(path.join(project, '.fw/journal/00112233445566aa.begun'), 'x\n{}');
    const changes = await ChangeSet.open(project);
    await changes.write('z.ts', 'z');
    await changes.commit();
    expect(await readFile(path.join(project, 'z.ts'), 'utf8')).toBe('z');
  });
});

describe('a new folder', () => {
  const FILL = `
    import { mkdir, writeFile } from 'node:fs/promises';
    await fillNewFolder(process.argv[1], 'shop', async (folder) => {
      await mkdir(folder + '/app');
      await writeFile(folder + '/app/a.ts', 'a');
      const changes = await ChangeSet.open(folder);
      await changes.write('b.ts', 'b');
      await changes.commit();
    });
  `;

  test('is there as a whole or not at all, at whichever call its maker was killed', async () => {
    const done = await mkdtemp(path.join(home, 'parent-'));
    const needed = await callsOf(FILL, done);
    expect(await treeOf(done)).toEqual({ 'shop/app/a.ts': 'a', 'shop/b.ts': 'b' });
    const outcomes = new Set<string>();
    await inParallel(upTo(needed), async (n) => {
      const parent = await mkdtemp(path.join(home, 'parent-'));
      await writeFile(path.join(parent, 'other'), 'other');
      expect((await run(FILL, parent, { killAt: n })).signal).toBe('SIGKILL');
      const recovered = await recoverWrites(parent);
      const { other, ...tree } = await treeOf(parent);
      expect(other).toBe('other');
      const isThere = Object.keys(tree).length > 0;
      expect(tree).toEqual(isThere ? await treeOf(done) : {});
      expect(await readdir(parent)).toEqual(isThere ? ['other', 'shop'] : ['other']);
      for (const { outcome } of recovered) expect(outcome).toBe(isThere ? 'finished' : 'undone');
      outcomes.add(isThere ? 'there' : 'not there');
    });
    expect(outcomes.size).toBe(2);
  });

  test('does not take the place of anything, and leaves nothing when it cannot be filled', async () => {
    const parent = await mkdtemp(path.join(home, 'parent-'));
    const failing = fillNewFolder(parent, 'shop', () => Promise.reject(new RangeError('no')));
    await expect(failing).rejects.toThrow(new RangeError('no'));
    expect(await readdir(parent)).toEqual([]);
    await mkdir(path.join(parent, 'shop'));
    const fill = () => Promise.resolve();
    await expect(fillNewFolder(parent, 'shop', fill)).rejects.toMatchObject({ code: 'FW_FOLDER_EXISTS' });
    const late = fillNewFolder(parent, 'late', () => writeFile(path.join(parent, 'late'), 'theirs'));
    await expect(late).rejects.toMatchObject({ code: 'FW_FOLDER_EXISTS' });
    expect(await treeOf(parent)).toEqual({ late: 'theirs' });
  });
});

describe('where a journal cannot be kept or signed', () => {
  const committing = async (project: string, state: string) => {
    const before = process.env['FW_MCP_STATE_DIR'];
    process.env['FW_MCP_STATE_DIR'] = state;
    try {
      const changes = await ChangeSet.open(project);
      await changes.write('z.ts', 'z');
      return await changes.commit();
    } finally {
      process.env['FW_MCP_STATE_DIR'] = before;
    }
  };

  test('a commit needs no state folder: one that cannot be made, or lies in the project, only costs the repair', async () => {
    const project = await freshProject();
    for (const state of ['/dev/null/state', path.join(project, 'state')]) {
      await committing(project, state);
      expect(await treeOf(project)).toEqual({ ...OLD, 'z.ts': 'z' });
      await rm(path.join(project, 'z.ts'));
    }
  });

  test('a key that others may read signs nothing', async () => {
    const project = await freshProject();
    const state = await mkdtemp(path.join(home, 'loose-'));
    await writeFile(path.join(state, 'journal.key'), Buffer.alloc(32), { mode: 0o644 });
    const env = { ...inChild(COMMIT, project).env, FW_MCP_STATE_DIR: state, FW_KILL_AT: String(marked - 1) };
    const child = { ...inChild(COMMIT, project), env, timeoutMs: PATIENCE_MS, maxOutputBytes: 1_000_000 };
    expect((await runProcess(child)).signal).toBe('SIGKILL');
    expect((await interruptedWrites(project)).map(({ outcome }) => outcome)).toEqual(['foreign']);
  });

  test.each<[string, (project: string) => Promise<unknown>, string]>([
    ['a link in the place of .fw', (project) => symlink(home, path.join(project, '.fw')), 'FW_LOCK_DIRECTORY'],
    ['a file in the place of .fw', (project) => writeFile(path.join(project, '.fw'), ''), 'FW_LOCK_DIRECTORY'],
    [
      'a link in the place of the journals',
      (project) => mkdir(path.join(project, '.fw')).then(() => symlink(home, path.join(project, '.fw/journal'))),
      'FW_CHANGESET_COMMIT',
    ],
  ])('%s is refused with a code, and nothing is written', async (_, spoil, code) => {
    const project = await freshProject();
    await spoil(project);
    const homeBefore = await readdir(home);
    const changes = await ChangeSet.open(project);
    await changes.write('z.ts', 'z');
    await expect(changes.commit()).rejects.toMatchObject({ code });
    expect((await readdir(project)).sort()).toEqual(['.fw', 'a.ts', 'app', 'mode.sh']);
    expect(await readdir(home)).toEqual(homeBefore);
  });
});

describe('what follows from a commit', () => {
  const FOLLOW = `
    const changes = await ChangeSet.open(process.argv[1]);
    await changes.write('a.ts', 'new a');
    const run = () => { console.log('following'); return new Promise(() => setInterval(() => {}, 1000)); };
    await changes.commit({ followUp: { kind: 'polish', run } });
  `;
  const outcomes = async (project: string) => (await interruptedWrites(project)).map(({ outcome }) => outcome);

  test('is left to its process while that lives, and due once that is killed, until somebody does it', async () => {
    const project = await freshProject();
    const child = await startProcess(inChild(FOLLOW, project));
    await child.waitForLine(/following/, { timeoutMs: PATIENCE_MS });
    expect([await outcomes(project), await recoverWrites(project)]).toEqual([[], []]);
    child.kill('SIGKILL');
    await child.exited;
    expect(await outcomes(project)).toEqual(['due']);
    expect(await recoverWrites(project)).toMatchObject([{ outcome: 'due', files: ['a.ts'] }]);
    const failing = await recoverWrites(project, {
      followUp: () => Promise.resolve({ isDone: false, text: 'no brush' }),
    });
    expect(failing).toMatchObject([{ outcome: 'due', text: expect.stringContaining('before polish: no brush.') }]);
    const asked: string[] = [];
    const followUp = (...given: readonly string[]) => {
      asked.push(...given);
      return Promise.resolve({ isDone: true, text: 'it shines' });
    };
    expect(await recoverWrites(project, { followUp })).toMatchObject([
      { outcome: 'followed', text: expect.stringMatching(/\(a\.ts\) stands, .* before polish: it shines\.$/) },
    ]);
    expect(asked).toEqual(['polish', project]);
    expect(await treeOf(project)).toEqual({ ...OLD, 'a.ts': 'new a' });
    expect(await recoverWrites(project, { followUp })).toEqual([]);
  });

  test('runs without the lock, also after a commit that had nothing to do, and leaves no journal when it fails', async () => {
    const project = await freshProject();
    for (const text of ['other', 'other']) {
      const changes = await ChangeSet.open(project);
      await changes.write('a.ts', text);
      const run = async () => {
        const inner = await ChangeSet.open(project);
        await inner.write('b.ts', `${text}!`);
        await inner.commit();
        throw new RangeError('failed');
      };
      await expect(changes.commit({ followUp: { kind: 'polish', run } })).rejects.toThrow(new RangeError('failed'));
      expect(await treeOf(project)).toEqual({ ...OLD, 'a.ts': 'other', 'b.ts': 'other!' });
    }
  });
});

describe('a live owner', () => {
  const HOLD = `await withFileLock(process.argv[1], () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)) })`;

  async function holder(project: string): Promise<RunningProcess> {
    const child = await startProcess(inChild(HOLD, project));
    await child.waitForLine(/held/, { timeoutMs: PATIENCE_MS });
    return child;
  }

  test('is waited for, also when it is stopped for longer than a heartbeat, and readers say nothing meanwhile', async () => {
    const project = await interrupted(marked - 1);
    const child = await holder(project);
    const [claim] = await readdir(path.join(project, '.fw/lock'));
    process.kill(child.pid, 'SIGSTOP');
    const then = new Date(Date.now() - 3_600_000);
    await utimes(path.join(project, '.fw/lock', claim as string), then, then);
    expect(await interruptedWrites(project)).toEqual([]);
    await expect(recoverWrites(project, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'FW_LOCK_TIMEOUT' });
    child.kill('SIGKILL');
    await child.exited;
    expect(await recoverWrites(project)).toHaveLength(1);
    expect(await stateOf(project)).toBe('old');
  });
});
