import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confinePath, openRoots, type Root } from './index.js';

let home: string;
let roots: readonly [Root, ...Root[]];

// A tree in which most names are links: to siblings, up, out, to nothing, to each other.
const LINKS: Readonly<Record<string, string>> = {
  'root/a/in': '../b',
  'root/a/out': '../../outside',
  'root/a/up': '..',
  'root/b/out': '../../outside/file',
  'root/b/up': '../..',
  'root/b/back': '../a/in',
  'root/out': '{home}/outside/folder',
  'root/nothing': '../outside/nothing',
  'root/a/nothing': 'in/nothing-either',
  'root/loop': 'a/up/loop',
  'root/b/self': '.',
  'outside/in': '../root/a',
  'outside/root': '../root',
};

beforeAll(async () => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-fuzz-')));
  plant();
  roots = await openRoots([path.join(home, 'root')]);
});
afterAll(() => rmSync(home, { recursive: true }));

function plant(): void {
  for (const each of ['root/a/b', 'root/b/a', 'root-evil', 'outside/folder'])
    mkdirSync(path.join(home, each), { recursive: true });
  for (const [link, target] of Object.entries(LINKS))
    symlinkSync(target.replace('{home}', home), path.join(home, link));
}

/** Everything in a directory, links not followed. */
function picture(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(directory, entry.name);
    if (entry.isDirectory()) return [at, ...picture(at)];
    return entry.isSymbolicLink() ? [`${at} -> ${readlinkSync(at)}`] : [`${at} = ${readFileSync(at, 'utf8')}`];
  });
}

const name = fc.constantFrom(
  'a',
  'b',
  'in',
  'out',
  'up',
  'back',
  'nothing',
  'loop',
  'self',
  'new',
  '..',
  '..',
  '.',
  '',
);
const prefix = fc.constantFrom(
  '',
  '',
  '',
  '/',
  '{root}/',
  '{root}-evil/',
  '{home}/outside/',
  '{root}/../',
  './',
  '//{root}/',
);
const candidate = fc.tuple(prefix, fc.array(name, { maxLength: 7 })).map(([start, names]) => start + names.join('/'));

const fill = (text: string): string => text.replaceAll('{root}', path.join(home, 'root')).replaceAll('{home}', home);

test('whatever is written through an allowed path lands inside the root', async () => {
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(candidate, async (text) => {
      const outside = (): readonly string[] =>
        picture(home).filter((line) => !line.startsWith(path.join(home, 'root/')));
      const before = outside();
      const confined = await confinePath(fill(text), roots).catch(() => undefined);
      if (!confined) return;
      allowed++;
      // The operating system is the judge: use the path, and see where it went.
      const made = await mkdir(path.dirname(confined.resolved), { recursive: true });
      await writeFile(confined.resolved, 'written').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EISDIR') throw error;
      });
      expect(outside()).toEqual(before);
      expect(realpathSync(confined.resolved)).toBe(confined.resolved);
      if (made) rmSync(made, { recursive: true });
      else if (lstatSync(confined.resolved).isFile()) rmSync(confined.resolved);
    }),
    { numRuns: 1_500 },
  );
  expect(allowed).toBeGreaterThan(100);
});

test('a path of plain names without links is always allowed and resolves to itself', async () => {
  const plain = fc.array(fc.constantFrom('a', 'b', 'new', 'x.ts', '...', '..x'), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(plain, async (names) => {
      const { resolved } = await confinePath(names.join('/'), roots);
      expect(resolved).toBe(path.join(home, 'root', ...names));
    }),
    { numRuns: 300 },
  );
});

test('a path never crashes the check, whatever characters it is made of', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (text) => {
      const outcome = await confinePath(text, roots).then(
        ({ resolved }) => resolved,
        (error: { code?: string }) => error.code,
      );
      expect(outcome).toMatch(/^FW_PATH_|^\//);
    }),
    { numRuns: 500 },
  );
});
