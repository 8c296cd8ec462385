import { createHash } from 'node:crypto';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ChangeSet, digestOf } from './index.js';

let project: string;

beforeEach(async () => {
  project = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-changes-')));
  await put('app/a.ts', 'a');
  await put('app/b.ts', 'b');
});
afterEach(() => rm(project, { recursive: true }));

const at = (file: string): string => path.join(project, file);
const code = (expected: string) => expect.objectContaining({ code: expected });

async function put(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(at(file)), { recursive: true });
  await writeFile(at(file), content);
}

/** Every file of the project with its content; empty directories with a slash. */
async function picture(): Promise<Record<string, string>> {
  const entries = await readdir(project, { recursive: true, withFileTypes: true });
  const seen: Record<string, string> = {};
  for (const entry of entries) {
    const file = path.relative(project, path.join(entry.parentPath, entry.name));
    if (entry.isFile()) seen[file] = await readFile(at(file), 'utf8');
    else if (entry.isDirectory() && (await readdir(at(file))).length === 0) seen[`${file}/`] = '';
  }
  return seen;
}

const BEFORE = { 'app/a.ts': 'a', 'app/b.ts': 'b' };

test('digestOf is SHA-256 in hexadecimal', () => {
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(digestOf(new Uint8Array([97, 98, 99]))).toBe(createHash('sha256').update('abc').digest('hex'));
});

describe('staging', () => {
  test('changes nothing on disk, and is seen by later reads', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'A');
    await changes.write('app/new/c.ts', 'c');
    await changes.delete('app/b.ts');
    expect(await changes.readText('app/a.ts')).toBe('A');
    expect(await changes.readText(at('app/new/c.ts'))).toBe('c');
    expect(await changes.read('app/b.ts')).toBeUndefined();
    expect(await changes.read('app/none.ts')).toBeUndefined();
    expect(await picture()).toEqual(BEFORE);
  });

  test('tells the net effect, sorted, with sizes', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('z.ts', 'zz');
    await changes.write('./app/../app/a.ts', 'changed');
    await changes.delete('app/b.ts');
    await changes.read('app/b.ts');
    expect(changes.changes()).toEqual([
      { path: 'app/a.ts', change: 'modified', bytes: 7 },
      { path: 'app/b.ts', change: 'deleted' },
      { path: 'z.ts', change: 'created', bytes: 2 },
    ]);
  });

  test('forgets what cancels out: made and deleted, written as it was, deleted and written again, deleted but not there', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('new.ts', 'x');
    await changes.delete('new.ts');
    await changes.write('app/a.ts', 'other');
    await changes.write('app/a.ts', 'a');
    await changes.delete('app/b.ts');
    await changes.write('app/b.ts', 'b');
    await changes.delete('none.ts');
    expect(changes.changes()).toEqual([]);
    expect(await changes.commit()).toEqual([]);
    expect(await picture()).toEqual(BEFORE);
  });

  test('takes a change of permissions for a change', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'a', 0o755);
    expect(changes.changes()).toEqual([{ path: 'app/a.ts', change: 'modified', bytes: 1 }]);
    await changes.commit();
    expect((await stat(at('app/a.ts'))).mode & 0o777).toBe(0o755);
  });

  test('keeps every path inside the root', async () => {
    await symlink('/etc', at('out'));
    await symlink('app', at('in'));
    await symlink('a.ts', at('app/link.ts'));
    const changes = await ChangeSet.open(project);
    await expect(changes.write('../evil', '')).rejects.toEqual(code('FW_PATH_OUTSIDE'));
    await expect(changes.write('out/evil', '')).rejects.toEqual(code('FW_PATH_SYMLINK'));
    await expect(changes.read('/etc/passwd')).rejects.toEqual(code('FW_PATH_OUTSIDE'));
    await expect(changes.delete('app/link.ts')).rejects.toEqual(code('FW_FILE_KIND'));
    await expect(changes.write('app', '')).rejects.toEqual(code('FW_FILE_KIND'));
    await changes.write('in/a.ts', 'through a link inside');
    expect(changes.changes()).toEqual([{ path: 'app/a.ts', change: 'modified', bytes: 21 }]);
  });

  test('is bounded in files, bytes and bytes per file, and can be used further at the bound', async () => {
    await put('large', 'x'.repeat(11));
    const changes = await ChangeSet.open(project, { maxFiles: 2, maxBytes: 5, maxFileBytes: 10 });
    await expect(changes.read('large')).rejects.toEqual(code('FW_FILE_TOO_LARGE'));
    await changes.write('one', '12345');
    await expect(changes.write('two', '6')).rejects.toThrow(/cannot take two: it would hold more than 5 bytes/);
    await changes.write('one', '1');
    await changes.write('two', '2');
    await expect(changes.write('three', '')).rejects.toThrow(/cannot take three: it would hold more than 2 files/);
    await changes.commit();
    expect(await picture()).toMatchObject({ one: '1', two: '2' });
  });

  test('looks at a file once when it is asked for twice at the same time', async () => {
    const changes = await ChangeSet.open(project, { maxFiles: 1 });
    await Promise.all([changes.write('app/a.ts', 'one'), changes.write('app/a.ts', 'two')]);
    expect(await changes.readText('app/a.ts')).toBe('two');
  });

  test('refuses text that is not UTF-8', async () => {
    await writeFile(at('binary'), Buffer.from([0xff]));
    const changes = await ChangeSet.open(project);
    await expect(changes.readText('binary')).rejects.toEqual(code('FW_FILE_NOT_TEXT'));
  });
});

describe('commit', () => {
  test('makes, changes and deletes files and says what it did', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'A');
    await changes.write('deep/er/c.ts', 'c');
    await changes.delete('app/b.ts');
    const expected = changes.changes();
    expect(await changes.commit()).toEqual(expected);
    expect(await picture()).toEqual({ 'app/a.ts': 'A', 'deep/er/c.ts': 'c' });
  });

  test('keeps the permissions of a file that it changes', async () => {
    await chmod(at('app/a.ts'), 0o640);
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'A');
    await changes.commit();
    expect((await stat(at('app/a.ts'))).mode & 0o777).toBe(0o640);
  });

  test('can be done once, and nothing can be staged afterwards', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'A');
    const twice = await Promise.allSettled([changes.commit(), changes.commit()]);
    expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await expect(changes.write('x', '')).rejects.toThrow(/is already committed\. Open a new one/);
    await expect(changes.commit()).rejects.toEqual(code('FW_CHANGESET_CLOSED'));
    expect(() => changes.discard()).toThrow(/already committed/);
  });

  test('does not lose a write that is under way without saying so', async () => {
    const changes = await ChangeSet.open(project);
    const late = changes.write('late.ts', 'x');
    await changes.commit();
    await expect(late).rejects.toEqual(code('FW_CHANGESET_CLOSED'));
  });

  test('discard drops everything and says what was dropped', async () => {
    const changes = await ChangeSet.open(project);
    await changes.delete('app/a.ts');
    expect(changes.discard()).toEqual([{ path: 'app/a.ts', change: 'deleted' }]);
    await expect(changes.commit()).rejects.toThrow(/already discarded/);
    expect(await picture()).toEqual(BEFORE);
  });
});

describe('conflicts', () => {
  const conflicting: [string, string, () => Promise<unknown>, string][] = [
    ['a changed file that is to be changed', 'app/a.ts', () => put('app/a.ts', 'edited'), 'changed'],
    ['a file that was removed', 'app/a.ts', () => rm(at('app/a.ts')), 'disappeared'],
    ['a file where a new one is to go', 'new.ts', () => put('new.ts', 'mine'), 'appeared'],
    ['a directory where a new file is to go', 'new.ts', () => mkdir(at('new.ts')), 'replaced'],
    ['a link in the place of the file', 'app/a.ts', () => swap('app/a.ts', 'b.ts'), 'replaced'],
    ['a link out in the place of its directory', 'app/a.ts', () => swap('app', '/etc'), 'replaced'],
    ['a link inside in the place of its directory', 'app/a.ts', () => swap('app', 'app-moved'), 'replaced'],
  ];
  const swap = async (file: string, target: string): Promise<void> => {
    await rename(at(file), at(`${file}-moved`));
    await symlink(target, at(file));
  };

  test.each(conflicting)('writes nothing on %s', async (_, file, edit, reason) => {
    const changes = await ChangeSet.open(project);
    await changes.write(file, 'staged');
    await changes.write('other.ts', 'staged');
    await edit();
    const before = await picture();
    expect(await changes.conflicts()).toEqual([{ path: file, reason }]);
    const refusal = await changes.commit().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'FW_CHANGESET_CONFLICT', details: { conflicts: [{ path: file, reason }] } });
    expect((refusal as Error).message).toContain(`Nothing was written: ${file} (${reason}) changed`);
    expect(await picture()).toEqual(before);
  });

  test('counts a file that was only read, because what is staged was made from it', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('copy.ts', (await changes.readText('app/a.ts')) as string);
    await put('app/a.ts', 'edited');
    await expect(changes.commit()).rejects.toEqual(code('FW_CHANGESET_CONFLICT'));
  });

  test('counts a file that was edited and is to be deleted', async () => {
    const changes = await ChangeSet.open(project);
    await changes.delete('app/a.ts');
    await put('app/a.ts', 'edited');
    await expect(changes.commit()).rejects.toEqual(code('FW_CHANGESET_CONFLICT'));
    expect(await picture()).toEqual({ ...BEFORE, 'app/a.ts': 'edited' });
  });

  test('does not mind files that it never looked at, nor one that was written and put back', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'A');
    await put('app/b.ts', 'edited');
    await put('app/a.ts', 'edited');
    await put('app/a.ts', 'a');
    await changes.commit();
    expect(await picture()).toEqual({ 'app/a.ts': 'A', 'app/b.ts': 'edited' });
  });

  test('leaves the set open, so that it can be committed when the file is as it was', async () => {
    const changes = await ChangeSet.open(project);
    await changes.write('app/a.ts', 'A');
    await put('app/a.ts', 'edited');
    await expect(changes.commit()).rejects.toEqual(code('FW_CHANGESET_CONFLICT'));
    await put('app/a.ts', 'a');
    await changes.commit();
    expect(await picture()).toEqual({ ...BEFORE, 'app/a.ts': 'A' });
  });
});

test('a file and another one below it are refused before anything is written', async () => {
  const changes = await ChangeSet.open(project);
  await changes.write('made/x/deep/y', 'below it');
  await changes.write('made/x', 'file');
  await expect(changes.commit()).rejects.toThrow(/holds the file made\/x and made\/x\/deep\/y, which cannot both be/);
  expect(await picture()).toEqual(BEFORE);
  await changes.delete('made/x');
  await changes.commit();
  expect(await picture()).toEqual({ ...BEFORE, 'made/x/deep/y': 'below it' });
});

test('a commit is all or nothing, whatever is staged and whatever is edited meanwhile', async () => {
  const file = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a');
  const step = fc.record({
    who: fc.constantFrom('set', 'disk'),
    file,
    content: fc.option(fc.constantFrom('', 'x', 'y')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.array(step, { maxLength: 8 }), async (initial, steps) => {
      await rm(project, { recursive: true });
      await mkdir(project);
      for (const { file, content } of initial) if (content !== null) await put(file, content);
      const changes = await ChangeSet.open(project);
      const seen = new Map<string, string | undefined>();
      const wanted: Record<string, string | undefined> = {};
      for (const { who, file, content } of steps) {
        const now = (await picture())[file];
        if (who === 'set') {
          if (!seen.has(file)) seen.set(file, now);
          wanted[file] = content ?? undefined;
          await (content === null ? changes.delete(file) : changes.write(file, content));
        } else if (content !== null) await put(file, content);
        else await rm(at(file), { force: true });
      }
      const before = await picture();
      const clean = [...seen].every(([file, content]) => before[file] === content);
      const committed = await changes.commit().then(
        () => true,
        () => false,
      );
      const after = await picture();
      const wasSomething = changes.changes().length > 0;
      const files = (of: Record<string, string | undefined>) =>
        Object.fromEntries(
          Object.entries(of).filter(([name, content]) => !name.endsWith('/') && content !== undefined),
        );
      expect(files(after)).toEqual(files(committed && wasSomething ? { ...before, ...wanted } : before));
      expect(committed).toBe(clean || !wasSomething);
    }),
    { numRuns: 60 },
  );
});
