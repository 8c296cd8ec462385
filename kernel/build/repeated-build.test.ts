import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildApp } from './build-app.js';
import { RepeatedBuild } from './repeated-build.js';

type Files = Readonly<Record<string, string>>;

const MANIFEST = { 'package.json': '{ "type": "module" }' };

let root: string;
let build: RepeatedBuild;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-repeated-'));
  build = new RepeatedBuild(root);
});
afterEach(async () => {
  await build.close();
  await rm(root, { recursive: true });
});

async function save(files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

/** Saves, builds, and says how many files were compiled and whether imports were resolved anew. */
async function saved(files: Files): Promise<{ readonly compiled: number; readonly isLinked: boolean }> {
  await save(files);
  const { compiled, isLinked } = await build.build('generated');
  return { compiled, isLinked };
}

const refused = (files: Files) => expect(saved(files)).rejects;

async function distOf(folder: string): Promise<Files> {
  const names = (await readdir(path.join(folder, 'dist'), { recursive: true })).filter((name) => name.endsWith('.js'));
  return Object.fromEntries(
    await Promise.all(
      names.sort().map(async (name) => [name, await readFile(path.join(folder, 'dist', name), 'utf8')]),
    ),
  ) as Files;
}

describe('a repeated build', () => {
  const APP: Files = {
    ...MANIFEST,
    'app.config.ts': "import { price } from './app/price.js';\nexport default price;",
    'app/price.ts': 'export const price = 1;',
  };

  test('resolves imports once while what changes has the imports and exports that it had', async () => {
    expect(await saved(APP)).toEqual({ compiled: 2, isLinked: true });
    expect(await saved({})).toEqual({ compiled: 0, isLinked: false });
    expect(await saved({ 'app/price.ts': 'const two = 2;\nexport const price = two;' })).toEqual({
      compiled: 1,
      isLinked: false,
    });
    expect((await distOf(root))['app/price.js']).toContain('const two = 2');
  });

  test('resolves them anew for another name, another module, a module that is gone, and one that takes all names', async () => {
    await saved(APP);
    await refused({ 'app/price.ts': 'export const cost = 1;' }).toMatchObject({ code: 'FW_BUILD_FAILED' });
    expect((await distOf(root))['app/price.js']).toContain('price');
    expect(await saved(APP)).toMatchObject({ isLinked: true });
    await refused({ 'app/price.ts': "import './none.js';\nexport const price = 1;" }).toMatchObject({
      message: expect.stringContaining('none.js'),
    });
    await saved({ 'app/price.ts': "import * as all from './all.js';\nexport const price = all.one;", 'app/all.ts': 'export const one = 1;' }); // prettier-ignore
    await refused({ 'app/price.ts': "import * as all from './all.js';\nexport const price = all.two;" }).toMatchObject({
      message: expect.stringContaining('two'),
    });
    await saved({ ...APP, 'lib/deep.ts': 'export const deep = 1;', 'app/price.ts': "export { deep as price } from '../lib/deep.js';" }); // prettier-ignore
    await rm(path.join(root, 'lib/deep.ts'));
    await refused({}).toMatchObject({ message: expect.stringContaining('deep.js') });
  });

  test('resolves them anew when a setting, the manifest or data that is imported changes', async () => {
    const aliased = {
      ...APP,
      'app.config.ts':
        "import { price } from '@/price.js';\nimport { tax } from './tax.json';\nexport default [price, tax];",
      'tax.json': '{ "tax": 1 }',
      'lib/price.ts': 'export const price = 3;',
    };
    const paths = (to: string) => JSON.stringify({ compilerOptions: { paths: { '@/*': [`./${to}/*`] } } });
    await saved({ ...aliased, 'tsconfig.json': paths('app') });
    expect((await distOf(root))['app.config.js']).toContain('./app/price.js');
    await saved({ 'tsconfig.json': paths('lib') });
    expect((await distOf(root))['app.config.js']).toContain('./lib/price.js');
    await refused({ 'tax.json': '{ "vat": 1 }' }).toMatchObject({ code: 'FW_BUILD_FAILED' });
    expect(await saved({ 'tax.json': '{ "tax": 2 }' })).toMatchObject({ isLinked: true });
    expect(await saved({ 'package.json': '{ "type": "module", "private": true }' })).toMatchObject({ isLinked: true });
  });

  test('gives, after whatever was saved, what a build from the beginning gives', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'fw-once-'));
    const outcome = async (work: Promise<unknown>) => work.then(() => 'built', (error: Error) => error.message); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(MODULES.length - 1), text: moduleText }), { minLength: 1, maxLength: 6 }),
        async (edits) => {
          // prettier-ignore
          await save(Object.fromEntries([...Object.entries(MANIFEST), ...MODULES.map((name) => [name, 'export const a = 1, b = 2; export default 3;'])])); // prettier-ignore
          await build.build('generated');
          for (const { at, text } of edits) {
            await save({ [MODULES[at] as string]: text });
            await rm(other, { recursive: true });
            await cp(root, other, { recursive: true, filter: (file) => !file.includes(`${path.sep}dist`) });
            const once = await outcome(buildApp({ root: other, check: false }));
            const again = await outcome(build.build('generated'));
            expect(again).toBe(once);
            if (once === 'built') expect(await distOf(root)).toEqual(await distOf(other));
          }
        },
      ),
      { numRuns: 25 },
    );
    await rm(other, { recursive: true });
  });
});

const MODULES = ['app/one.ts', 'app/two.ts', 'app/three.ts'];

/** Ways to import from a module, by a number that makes the local names its own. */
const IMPORTS: readonly ((from: string, n: number) => string)[] = [
  (from) => `import '${from}';`,
  (from, n) => `import { a as a${n} } from '${from}'; console.log(a${n});`,
  (from, n) => `import { a as a${n}, type T as T${n}, b as b${n} } from '${from}'; console.log(a${n}, b${n});`,
  (from, n) => `import d${n} from '${from}'; console.log(d${n});`,
  (from, n) => `import * as all${n} from '${from}'; console.log(all${n}.b);`,
  (from, n) => `export const late${n} = () => import('${from}');`,
  (from, n) => `export { b as from${n} } from '${from}';`,
  (from) => `export * from '${from}';`,
  (from, n) => `import type { T as Only${n} } from '${from}'; export let only${n}: Only${n} | undefined;`,
];

/** What a module may say: its imports of the others, and its exports. */
const moduleText: fc.Arbitrary<string> = fc
  .record({
    imports: fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three', 'none'), fc.nat(IMPORTS.length - 1)), {
      maxLength: 2,
    }),
    exports: fc.subarray(['export const a = 1;', 'export const b = () => 2;', 'export default class {}', 'export {']),
    rest: fc.constantFrom('', 'const text = `\nimport { none } from "./none.js";\n`;', '// import "./none.js";'),
  })
  .map(({ imports, exports, rest }) =>
    [...imports.map(([from, how], n) => IMPORTS[how]?.(`./${from}.js`, n)), rest, ...exports].join('\n'),
  );
