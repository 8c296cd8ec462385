import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { applyChanges, type ApplyOptions, type PlannedChange } from './apply-changes.js';
import { digestOf } from './digest.js';
import { withFileLock } from './file-lock.js';
import { openRoots } from './roots.js';
import { changeOf, type FileChange, readState, type StagedFile } from './staged-file.js';

let project: string;
beforeEach(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'fw-apply-'));
  for (const name of ['a', 'b', 'z']) await writeFile(at(name), name);
});
afterEach(() => rm(project, { recursive: true }));

/** What {@link applyChanges} expects of its caller: the lock. */
const conflictIn = async (plan: readonly PlannedChange[], conflictOf: ApplyOptions['conflictOf']) => {
  const [root] = await openRoots([project]);
  return (await withFileLock(root.resolved, () => applyChanges(root, plan, { conflictOf }))).conflict;
};
const at = (name: string): string => path.join(project, name);

async function planned(name: string, content: string | 'delete'): Promise<PlannedChange> {
  const bytes = Buffer.from(content);
  const staged = content === 'delete' ? ('deleted' as const) : { bytes, digest: digestOf(content), mode: undefined };
  const file: StagedFile = { path: name, target: at(name), base: (await readState(at(name), 1_000)).state, staged };
  return { file, change: changeOf(file) as FileChange };
}

/** Changes a, deletes b, makes new/c, changes z; `fault` strikes after everything was looked at for the last time. */
async function applyWith(fault: () => Promise<unknown>) {
  const plan = [
    await planned('a', 'A'),
    await planned('b', 'delete'),
    await planned('new/c', 'c'),
    await planned('z', 'Z'),
  ];
  return conflictIn(plan, async (file) => {
    if (file.path === 'z') await fault();
    return undefined;
  });
}

const files = async (): Promise<readonly string[]> => (await readdir(project)).sort();
const inode = async (name: string): Promise<number> => (await stat(at(name))).ino;
const freshOf = async (name: string): Promise<string> =>
  at((await files()).find((each) => each.startsWith(`.${name}.`) && each.endsWith('.fw-new')) as string);

describe('applyChanges', () => {
  test('does everything and leaves no copies behind', async () => {
    expect(await applyWith(() => Promise.resolve())).toBeUndefined();
    expect(await files()).toEqual(['a', 'new', 'z']);
    expect(await readFile(at('a'), 'utf8')).toBe('A');
    expect(await readFile(at('new/c'), 'utf8')).toBe('c');
  });

  test('puts the very files back when a write fails half way, and removes what it made', async () => {
    const before = await inode('a');
    const failure = applyWith(async () => rm(await freshOf('z')));
    await expect(failure).rejects.toMatchObject({ code: 'FW_CHANGESET_COMMIT', details: { path: 'z' } });
    await expect(failure).rejects.toThrow(/Nothing was changed: writing z failed \(ENOENT/);
    expect(await files()).toEqual(['a', 'b', 'z']);
    expect(await readFile(at('a'), 'utf8')).toBe('a');
    expect(await inode('a')).toBe(before);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['edited', () => writeFile(at('z'), 'edited'), 'changed'],
    ['removed', () => rm(at('z')), 'disappeared'],
    ['turned into a link', () => rename(at('z'), at('y')).then(() => symlink('y', at('z'))), 'replaced'],
  ])('notices a file that was %s after the last look, and puts the others back', async (_, fault, reason) => {
    expect(await applyWith(fault)).toEqual({ path: 'z', reason });
    expect((await files()).filter((each) => each.includes('.fw-') || each === 'new')).toEqual([]);
    expect(await readFile(at('a'), 'utf8')).toBe('a');
    expect(await readFile(at('b'), 'utf8')).toBe('b');
  });

  test('does not overwrite a file that appears at the last moment', async () => {
    const plan = [await planned('a', 'A'), await planned('new', 'mine')];
    const conflict = await conflictIn(plan, async (file) => {
      if (file.path === 'new') await writeFile(at('new'), 'theirs');
      return undefined;
    });
    expect(conflict).toEqual({ path: 'new', reason: 'appeared' });
    expect(await readFile(at('new'), 'utf8')).toBe('theirs');
    expect(await readFile(at('a'), 'utf8')).toBe('a');
  });

  test('leaves a directory that it made when somebody else put something there', async () => {
    await applyWith(() => Promise.all([writeFile(at('z'), 'edited'), writeFile(at('new/theirs'), '')]));
    expect(await readdir(at('new'))).toEqual(['theirs']);
  });

  test('says what it could not put back', async () => {
    const failure = applyWith(async () => {
      const fresh = await freshOf('z');
      await rm(fresh);
      await mkdir(fresh);
      await writeFile(path.join(fresh, 'x'), '');
    });
    await expect(failure).rejects.toMatchObject({
      code: 'FW_CHANGESET_ROLLBACK',
      details: { path: 'z', broken: ['z'] },
    });
    expect(await readFile(at('a'), 'utf8')).toBe('a');
    expect(await readFile(at('z'), 'utf8')).toBe('z');
  });
});
