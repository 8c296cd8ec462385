import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { runProcess } from '../../process/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

// Each command as a user runs it, ended like by kill -9 at some of its file system calls; with FW_TEST_EXHAUSTIVE=1 at each.
const EXHAUSTIVE = process.env['FW_TEST_EXHAUSTIVE'] === '1';
const KILLS = 4;
const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');
const SHIM = path.join(ROOT, 'kernel/testing/fault-at-call.mjs');

let home: string;
let scratch: ScratchProject;
beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-killed-')));
  scratch = await scratchProject('api');
});
afterAll(async () => {
  await scratch.remove();
  await rm(home, { recursive: true });
});

let copies = 0;
async function projectCopy(from = scratch.root): Promise<string> {
  const copy = path.join(home, `project-${++copies}`);
  await cp(from, copy, { recursive: true });
  return copy;
}

async function fw(project: string, args: readonly string[], { killAt = 0, fullAt = 0 } = {}) {
  const env = {
    FW_MCP_STATE_DIR: path.join(home, 'state'),
    ...{ FW_KILL_AT: String(killAt), FW_FULL_AT: String(fullAt) },
    ...{ FW_FAULT_UNDER: project, FW_FAULT_COUNT: `${project}.count` },
  };
  const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 1_000_000 };
  return runProcess({ command: process.execPath, args: ['--import', SHIM, FW, ...args], cwd: project, env, ...limits });
}

/** Every file with its text, and `.fw` when it is there. */
async function treeOf(project: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const named = entries.map((entry) => ({
    entry,
    name: path.relative(project, path.join(entry.parentPath, entry.name)),
  }));
  const kept = named.filter(
    ({ entry, name }) => (!entry.isDirectory() || name === '.fw') && !name.startsWith('node_modules'),
  );
  return Object.fromEntries(
    await Promise.all(
      kept.map(
        async ({ entry, name }) =>
          [name, entry.isDirectory() ? '' : await readFile(path.join(project, name), 'utf8')] as const,
      ),
    ),
  );
}

type Tree = Readonly<Record<string, string>>;

/** By what a command says what became of a write. */
const SAID =
  / was (undone|finished): | stands, but was interrupted before code generation: (it was done now|all it makes)/;

const isInterrupted = (tree: Tree): boolean =>
  Object.keys(tree).some((name) => /^\.fw\/journal\/\w+\.(begun|done|due)$/.test(name));

/** Without fw's own files (claims, and journals that were never complete), and without the time in names of migrations. */
const filesOf = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree)
      .filter(([name]) => name !== '.fw' && !name.startsWith('.fw/'))
      .map(([name, text]) => [name.replace(/\d{14}/, 'VERSION'), text]),
  );

const differences = (one: Tree, other: Tree): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]);

/**
 * Kills a command at some of its calls. Each time a command that only reads reports it and changes nothing, and the next one
 * that writes makes the project what it was before or what it was to be, and says so if it was neither.
 */
async function killingAtEach(from: string, args: readonly string[], next: readonly string[]): Promise<void> {
  const { calls, states } = await undisturbed(from, args, next);
  const stride = EXHAUSTIVE ? 1 : Math.max(1, Math.floor(calls / KILLS));
  for (let n = EXHAUSTIVE ? 1 : stride; n <= calls; n += stride) {
    const project = await projectCopy(from);
    expect((await fw(project, args, { killAt: n })).signal).toBe('SIGKILL');
    const before = await treeOf(project);
    const reader = await fw(project, ['start', '--config', 'none.js']);
    expect(await treeOf(project)).toEqual(before);
    const { exitCode, stderr } = await fw(project, next);
    const pending = isInterrupted(before);
    const told = { n, exitCode, reported: / interrupted/.test(reader.stderr), said: SAID.test(stderr) };
    expect(told).toEqual({ n, exitCode: 0, reported: pending, said: pending });
    const after = await treeOf(project);
    expectOneOf(states, after, n);
    await rm(project, { recursive: true });
  }
}

function expectOneOf(states: readonly Tree[], after: Tree, n: number): void {
  expect(isInterrupted(after)).toBe(false);
  const differing = states.map((state) => differences(state, filesOf(after)));
  expect({ n, differing: differing.some(({ length }) => length === 0) ? [] : differing }).toEqual({ n, differing: [] });
}

/**
 * Fills the disk at some calls of a command. Each time it says so, and once there is space, the next one that writes makes the project what
 * it was before or what it was to be.
 */
async function fillingAtEach(args: readonly string[], next: readonly string[]): Promise<void> {
  const { calls, states, trees } = await undisturbed(scratch.root, args, next);
  const stride = EXHAUSTIVE ? 1 : Math.max(1, Math.floor(calls / KILLS));
  let refusals = 0;
  for (let n = 1; n <= calls; n += stride) {
    const project = await projectCopy();
    const { exitCode, stderr } = await fw(project, args, { fullAt: n });
    if (exitCode !== 0) {
      refusals++;
      expect({ n, told: /FW_\w+: .*ENOSPC/s.test(stderr), stack: /^ +at /m.exec(stderr) }).toEqual({ n, told: true, stack: null }); // prettier-ignore
      expect(exitCode).toBe(1);
    }
    // Of a project that is as it was, or as it was to be, it is known already what the next command makes.
    const left = await treeOf(project);
    if (!trees.some((tree) => differences(tree, left).length === 0)) {
      expect(await fw(project, next)).toMatchObject({ exitCode: 0 });
      expectOneOf(states, await treeOf(project), n);
    }
    await rm(project, { recursive: true });
  }
  expect(refusals).toBeGreaterThan(0);
}

/** How many calls a command has, and what the next one makes of the project before it and of the one behind it. */
interface Undisturbed {
  readonly calls: number;
  readonly states: readonly Tree[];
  /** The project before the command, and behind it. */
  readonly trees: readonly Tree[];
}

/** A command that nobody kills, which is the same for all who disturb it. */
const undisturbed = once(
  async (from: string, args: readonly string[], next: readonly string[]): Promise<Undisturbed> => {
    const done = await projectCopy(from);
    expect(await fw(done, args)).toMatchObject({ exitCode: 0 });
    const calls = Number(await readFile(`${done}.count`, 'utf8'));
    const trees = await Promise.all([from, done].map(treeOf));
    const states = await Promise.all([from, done].map(async (project) => filesOf(await afterwards(project, next))));
    return { calls, states, trees };
  },
);

/** What a command makes of a copy of a project that nobody was killed in. No project that is copied changes any more. */
const afterwards = once(async (project: string, args: readonly string[]): Promise<Tree> => {
  const copy = await projectCopy(project);
  expect(await fw(copy, args)).toMatchObject({ exitCode: 0 });
  const tree = await treeOf(copy);
  await rm(copy, { recursive: true });
  return tree;
});

/** Does the same work once. */
function once<Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  const known = new Map<string, Promise<Result>>();
  return (...given) => {
    const key = JSON.stringify(given);
    const result = known.get(key) ?? work(...given);
    known.set(key, result);
    return result;
  };
}

/** By what it is, what it is told, and a command that writes afterwards. */
const COMMANDS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['generate', ['generate', 'resource', 'Order', 'name:string', 'total:int'], ['codegen']],
  ['add', ['add', 'cors'], ['llms']],
  ['llms', ['llms'], ['codegen']],
  ['generate client', ['generate', 'client'], ['codegen']],
  ['build', ['build', '--no-check'], ['codegen']],
];

describe('a command that is killed, or finds the disk full', () => {
  test.each(COMMANDS)(
    'fw %s leaves nothing half done',
    (_, args, next) => killingAtEach(scratch.root, args, next),
    600_000,
  );

  test.each(COMMANDS)(
    'fw %s says that the disk is full, and leaves nothing half done',
    (_, args, next) => fillingAtEach(args, next),
    600_000,
  );

  test('fw codegen alone leaves nothing half done', async () => {
    const changed = await projectCopy();
    expect(await fw(changed, ['generate', 'resource', 'Item', 'name:string'])).toMatchObject({ exitCode: 0 });
    // Made by hand, so that the list of the route modules is to be written as well as generated/.
    await cp(path.join(changed, 'app/routes/items.ts'), path.join(changed, 'app/routes/other.ts'));
    for (const name of await readdir(path.join(changed, 'generated')))
      if (name !== 'routes.json') await rm(path.join(changed, 'generated', name), { recursive: true });
    await killingAtEach(changed, ['codegen'], ['generate', 'client']);
  }, 600_000);

  test('fw migrate new leaves both files or none', async () => {
    const built = await projectCopy();
    await mkdir(path.join(built, 'node_modules'));
    await symlink(ROOT, path.join(built, 'node_modules/fw'));
    expect(await fw(built, ['build', '--no-check'])).toMatchObject({ exitCode: 0 });
    await killingAtEach(built, ['migrate', 'new', 'first'], ['codegen']);
  }, 600_000);
});
