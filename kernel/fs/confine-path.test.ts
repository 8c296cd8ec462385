import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { confinePath, type ConfineOptions, openRoots, reconfine, resolvePath, type Root } from './index.js';

let home: string;
let roots: readonly [Root, ...Root[]];

// home/root is the root, home/linked-root a link to it; everything else in home is out of bounds.
beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-confine-')));
  for (const each of ['root/src/deep', 'root/with space', 'root-evil', 'outside/folder']) {
    await mkdir(path.join(home, each), { recursive: true });
  }
  for (const each of ['root/file.txt', 'root/..named', 'root-evil/secret', 'outside/secret']) {
    await writeFile(path.join(home, each), each);
  }
  const links: [string, string][] = [
    ['../outside', 'root/out'],
    ['../outside/secret', 'root/out-file'],
    ['../outside/not-there', 'root/dangling'],
    ['dangling', 'root/dangling-twice'],
    ['src', 'root/in'],
    ['loop-b', 'root/loop-a'],
    ['loop-a', 'root/loop-b'],
    ['..', 'root/src/up'],
    ['root', 'linked-root'],
    ['root/src', 'outside/back'],
  ];
  for (const [target, link] of links) await symlink(target, path.join(home, link));
  await symlink(path.join(home, 'outside'), path.join(home, 'root/junction'), 'junction');
  await symlink(path.join(home, 'root/src'), path.join(home, 'outside/back-in'));
  roots = await openRoots([path.join(home, 'root')]);
});
afterAll(() => rm(home, { recursive: true }));

const at = (relative: string): string => path.join(home, relative);
const confined = async (candidate: string, options?: ConfineOptions): Promise<string> =>
  (await confinePath(candidate, roots, options)).resolved;
const refused = async (candidate: string, code: string, options?: ConfineOptions): Promise<void> => {
  await expect(confinePath(candidate, roots, options)).rejects.toEqual(expect.objectContaining({ code }));
};

describe('what is allowed', () => {
  test.each([
    ['the root itself', '', 'root'],
    ['the root by name', '.', 'root'],
    ['a file', 'file.txt', 'root/file.txt'],
    ['blanks around it', '  file.txt\n', 'root/file.txt'],
    ['a name with a blank', 'with space', 'root/with space'],
    ['a way out and in again', '../root/src/../file.txt', 'root/file.txt'],
    ['a name that merely begins with two dots', '..named', 'root/..named'],
    ['a link that stays inside', 'in/deep', 'root/src/deep'],
    ['../ after a link, which takes back the name and not the step', 'src/up/../out', 'root/src/out'],
    ['a link back up to the root', 'src/up/file.txt', 'root/file.txt'],
  ])('%s', async (_, candidate, expected) => {
    expect(await confined(candidate)).toBe(at(expected));
  });

  test('a path that does not exist yet, checked against its nearest existing ancestor (rule 4)', async () => {
    expect(await confinePath('new/deeper/file.ts', roots)).toEqual({
      requested: at('root/new/deeper/file.ts'),
      resolved: at('root/new/deeper/file.ts'),
      exists: false,
      root: roots[0],
    });
    expect(await confined('in/new.ts')).toBe(at('root/src/new.ts'));
  });

  test('an absolute path inside, also one that leads in through a link from elsewhere', async () => {
    expect(await confined(at('root/src'))).toBe(at('root/src'));
    expect(await confined(at('linked-root/src'))).toBe(at('root/src'));
    expect(await confined(at('outside/back-in/deep'))).toBe(at('root/src/deep'));
  });

  test('a path in the second of two roots; relative paths start from the first', async () => {
    const both = await openRoots([at('root'), at('outside')]);
    expect((await confinePath(at('outside/secret'), both)).root.resolved).toBe(at('outside'));
    expect((await confinePath('file.txt', both)).resolved).toBe(at('root/file.txt'));
    expect((await confinePath('out/secret', both)).resolved).toBe(at('outside/secret'));
  });

  test('relative paths from another base, when one is given', async () => {
    expect(await confined('../file.txt', { base: at('root/src') })).toBe(at('root/file.txt'));
    await refused('secret', 'FW_PATH_OUTSIDE', { base: at('outside') });
  });
});

describe('what is refused', () => {
  test.each([
    ['an absolute path elsewhere', '/etc/passwd'],
    ['../', '../outside/secret'],
    ['../ after a name', 'src/../../outside'],
    ['many ../', '../../../../../../../../etc/passwd'],
    ['a path elsewhere that does not exist', '/no/such/place'],
    ['a sibling with the same beginning', '../root-evil/secret'],
    ['the parent', '..'],
    ['the root of the file system', '/'],
  ])('rule 1: %s', async (_, candidate) => {
    await refused(candidate, 'FW_PATH_OUTSIDE');
  });

  test('rule 1 names the path and the permitted roots as they were declared', async () => {
    const [declared] = await openRoots([at('linked-root')]);
    await expect(confinePath('/etc/passwd', [declared])).rejects.toThrow(
      `The path /etc/passwd is outside every permitted root. Permitted: ${at('linked-root')}.`,
    );
  });

  test('rule 1 does not tell what exists outside', async () => {
    const answer = async (candidate: string): Promise<string> =>
      confinePath(candidate, roots).then(
        () => 'allowed',
        (error: Error) => error.message.replace(candidate, '<path>'),
      );
    const outside = [at('outside/secret'), at('outside/no'), at('outside/secret/child'), at('root-evil/x'.repeat(90))];
    expect(new Set(await Promise.all(outside.map(answer))).size).toBe(1);
  });

  test.each([
    ['a directory', 'out'],
    ['what is behind it', 'out/secret'],
    ['what is not yet behind it', 'out/new.txt'],
    ['a file', 'out-file'],
    ['an absolute spelling of it', '{root}/out/secret'],
  ])('rule 2: a symbolic link out: %s', async (_, candidate) => {
    await refused(candidate.replace('{root}', at('root')), 'FW_PATH_SYMLINK');
  });

  test('rule 2 names the link', async () => {
    await expect(confinePath('in/up/out/secret', roots)).rejects.toThrow(
      /through the symbolic link .*\/root\/in\. Perm/,
    );
    await expect(confinePath('out/secret', roots)).rejects.toThrow(/through the symbolic link .*\/root\/out\. Perm/);
  });

  test.each(['dangling', 'dangling/child', 'dangling-twice', 'in/../dangling'])(
    'a link to nothing, because writing to it would make its target: %s',
    async (candidate) => {
      await refused(candidate, 'FW_PATH_DANGLING');
    },
  );

  test('rule 3: a junction, wherever it leads, where links are not followed at all [MCP-PATH-06]', async () => {
    await refused('junction/secret', 'FW_PATH_SYMLINK');
    await refused('in/deep', 'FW_PATH_JUNCTION', { links: 'none' });
    await refused(at('outside/back-in/deep'), 'FW_PATH_JUNCTION', { links: 'none' });
    expect(await confined('src/deep', { links: 'none' })).toBe(at('root/src/deep'));
    expect(await confined('', { links: 'none' })).toBe(at('root'));
  });

  test('rule 3 does not count links above the root, which the operator chose', async () => {
    const linked = await openRoots([at('linked-root')]);
    expect((await confinePath('src', linked, { links: 'none' })).resolved).toBe(at('root/src'));
  });

  test.each([
    ['a loop of links', 'loop-a/x', /its links form a loop/],
    ['a file as a directory', 'file.txt/x', /a part of it is a file/],
    ['a name that is too long', 'x'.repeat(300), /too long/],
  ])('%s', async (_, candidate, problem) => {
    await refused(candidate, 'FW_PATH_UNRESOLVED');
    await expect(confinePath(candidate, roots)).rejects.toThrow(problem);
  });

  test.each([
    ['NUL', 'file.txt\0.png', /NUL character/],
    ['a file: URL', 'file:///etc/passwd', /file: URL/],
    ['a file: URL of a file inside', '{url}', /file: URL/],
    ['a file: URL in capitals', 'FILE:/etc/passwd', /file: URL/],
    ['a network share', '\\\\server\\share', /network share/],
    ['a device path', '\\\\?\\C:\\Windows', /network share or a device/],
    ['a home directory', '~/.ssh/id_rsa', /only a shell/],
    ['a home directory alone', '~', /only a shell/],
    ['no text', undefined as unknown as string, /not text/],
  ])('a spelling that is not a plain path: %s', async (_, candidate, problem) => {
    const given = candidate?.replace('{url}', pathToFileURL(at('root/file.txt')).href);
    await refused(given, 'FW_PATH_MALFORMED');
    await expect(confinePath(given, roots)).rejects.toThrow(problem);
  });
});

describe('a file system that folds case', () => {
  test('takes another spelling of the root for the same directory', async () => {
    const folding: Root = { declared: at('ROOT'), resolved: at('Root'), foldsCase: true };
    expect((await confinePath(at('root/file.txt'), [folding])).resolved).toBe(at('root/file.txt'));
    await expect(confinePath(at('root-evil/secret'), [folding])).rejects.toThrow(/outside every permitted root/);
  });

  test('is not assumed: on one that tells case apart another spelling is another directory', async () => {
    const exact: Root = { declared: at('Root'), resolved: at('Root'), foldsCase: false };
    await expect(confinePath(at('root/file.txt'), [exact])).rejects.toThrow(/outside every permitted root/);
  });
});

describe('reconfine', () => {
  test('confirms a path that still leads to the same place', async () => {
    const checked = await confinePath('in/new.ts', roots);
    expect(await reconfine(checked, roots)).toEqual({ ...checked });
  });

  test('refuses a directory that became a link, out or to somewhere else inside, since the check', async () => {
    await mkdir(at('root/swapped'));
    const checked = await confinePath('swapped/file.ts', roots);
    await rename(at('root/swapped'), at('root/swapped-away'));
    await symlink('../outside', at('root/swapped'));
    await expect(reconfine(checked, roots)).rejects.toEqual(expect.objectContaining({ code: 'FW_PATH_SYMLINK' }));
    await rm(at('root/swapped'));
    await symlink('src', at('root/swapped'));
    await expect(reconfine(checked, roots)).rejects.toEqual(expect.objectContaining({ code: 'FW_PATH_CHANGED' }));
  });
});

describe('resolvePath', () => {
  test('resolves a path anywhere, with the same care for its spelling and for dangling links', async () => {
    expect(await resolvePath('../outside/back-in/new', at('root'))).toBe(at('root/src/new'));
    await expect(resolvePath('file:///etc', home)).rejects.toEqual(
      expect.objectContaining({ code: 'FW_PATH_MALFORMED' }),
    );
    await expect(resolvePath('root/dangling', home)).rejects.toEqual(
      expect.objectContaining({ code: 'FW_PATH_DANGLING' }),
    );
  });
});

describe('openRoots', () => {
  test('resolves links and keeps the declared spelling', async () => {
    const [root] = await openRoots(['', ' ', 'linked-root'], home);
    expect(root).toEqual({ declared: at('linked-root'), resolved: at('root'), foldsCase: false });
  });

  test.each([
    ['nothing', [], /no directory is named/],
    ['blanks', [' ', ''], /no directory is named/],
    ['a missing directory', ['no-such-place'], /it does not exist/],
    ['a file', ['root/file.txt'], /it is not a directory/],
    ['one bad among good ones', ['root', 'no-such-place'], /no-such-place" cannot be worked in: it does not exist/],
  ])('refuses %s', async (_, declared, problem) => {
    await expect(openRoots(declared, home)).rejects.toEqual(expect.objectContaining({ code: 'FW_PATH_ROOTS' }));
    await expect(openRoots(declared, home)).rejects.toThrow(problem);
  });
});
