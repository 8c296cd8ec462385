import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runProcess } from '../process/index.js';
import { buildApp } from './build-app.js';
import { PATIENCE_MS } from '../testing/patience.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(path.join(tmpdir(), 'fw-build-'))));
afterEach(() => rm(root, { recursive: true }));

async function project(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

const built = async () =>
  (await readdir(path.join(root, 'dist'), { recursive: true })).filter((f) => f.endsWith('.js'));

describe('buildApp', () => {
  test('compiles what app.config.ts reaches, wherever it lies, and the usual folders', async () => {
    await project({
      'app.config.ts': "export default { plugins: [() => import('./shop/plugin.js')] };",
      'shop/plugin.ts': "import { price } from './deep/price.js';\nexport default price;",
      'shop/deep/price.ts': 'export const price: number = 1;',
      'app/worker.ts': 'export const work = () => 1;',
      'app/worker.test.ts': 'throw new Error("a test is no part of the application");',
      'elsewhere/unused.ts': 'export {};',
    });
    const { files } = await buildApp({ root });
    expect((await built()).sort()).toEqual(['app.config.js', 'app/worker.js', 'shop/deep/price.js', 'shop/plugin.js']);
    expect(files).toBe(4);
  });

  test('builds modules under the names that Node and their importers know them by', async () => {
    await project({
      'app.config.ts':
        "import { sum } from '~lib/sum.mjs';\nimport { Named } from '@/named.js';\nexport const total = sum();\nexport const late = () => import('@/late.js');\nexport class Config extends Named { static readonly self: string = Config.name; }\nexport default [total, Config.self];",
      'app/named.ts': "export { Named } from './deep/named.js';",
      'app/deep/named.ts': "import { one } from '../../lib/numbers.cjs';\nexport class Named { one = one; }",
      'app/late.ts': 'export const late = true;',
      'lib/sum.mts': "import { one } from '~lib/numbers.cjs';\nexport const sum = (): number => one + 1;",
      'lib/numbers.cts': 'export const one: number = 1;',
      'package.json': JSON.stringify({ type: 'module' }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          rootDir: '.',
          outDir: 'dist',
          paths: { '@/*': ['./app/*'], '~lib/*': ['./lib/*'] },
        },
      }),
    });
    await buildApp({ root, check: false });
    const at = path.join(root, 'dist/app.config.js');
    const shown = '[...it.default, (await it.late()).late, new it.Config().one]';
    const { stdout } = await runProcess({
      command: process.execPath,
      args: [
        '--input-type=module',
        '--eval',
        `const it = await import(${JSON.stringify(at)}); console.log(JSON.stringify(${shown}));`,
      ],
      cwd: root,
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 10_000,
    });
    expect(JSON.parse(stdout)).toEqual([2, 'Config', true, 1]);
  });

  test.each([
    ['a path of tsconfig.json', "import { one } from '@shared/one.js';", 'app.config.ts imports @shared/one.js'],
    ['a relative import', "import { one } from '../shared/one.js';", 'app.config.ts imports ../shared/one.js'],
    [
      'a relative import without an ending',
      "import { one } from '../shared/one';",
      'app.config.ts imports ../shared/one',
    ],
    ['a file of data', "import one from '../shared/one.json';", 'app.config.ts imports ../shared/one.json'],
  ])('refuses %s that leads out of the project, and leaves what was built before', async (_what, text, message) => {
    await project({
      'app/app.config.ts': 'export default 1;',
      'app/tsconfig.json': JSON.stringify({ compilerOptions: { paths: { '@shared/*': ['../shared/*'] } } }),
      'shared/one.ts': 'export const one = 1;',
      'shared/one.json': '1',
    });
    const app = path.join(root, 'app');
    await buildApp({ root: app, check: false });
    const built = await readFile(path.join(app, 'dist/app.config.js'), 'utf8');
    await project({ 'app/app.config.ts': `${text}\nexport default one;` });
    await expect(buildApp({ root: app, check: false })).rejects.toMatchObject({
      code: 'FW_BUILD_OUTSIDE',
      message: expect.stringContaining(message),
    });
    expect(await readFile(path.join(app, 'dist/app.config.js'), 'utf8')).toBe(built);
  });

  test('refuses a folder without a source, and makes nothing there', async () => {
    await expect(buildApp({ root })).rejects.toMatchObject({ code: 'FW_BUILD_NOTHING', details: { root } });
    expect(await readdir(root)).toEqual([]);
  });

  test('names the file and line of an import that leads nowhere', async () => {
    await project({ 'app.config.ts': "export default () => import('./generated/index.js');" });
    await expect(buildApp({ root })).rejects.toMatchObject({
      code: 'FW_BUILD_FAILED',
      message: expect.stringContaining('app.config.ts:1:'),
    });
  });

  test('refuses an export that the other file does not have, in any file, and leaves what was built before', async () => {
    const good = {
      'app.config.ts': 'export default 1;',
      'app/price.ts': 'export const price = 1;',
      'app/use.ts': "import { price } from './price.js';\nconsole.log(price);",
    };
    await project(good);
    await buildApp({ root });
    for (const use of [
      "import { cost } from './price.js';\nconsole.log(cost);",
      "import * as all from './price.js';\nconsole.log(all.cost);",
    ]) {
      await project({ 'app/use.ts': use, 'app/price.ts': 'export const price = 2;' });
      await expect(buildApp({ root, check: false })).rejects.toMatchObject({
        code: 'FW_BUILD_FAILED',
        message: expect.stringMatching(/app\/use\.ts:\d/),
      });
    }
    expect(await readFile(path.join(root, 'dist/app/price.js'), 'utf8')).toContain('price = 1');
  });

  test('removes what it wrote for sources that are gone, and nothing else', async () => {
    await project({
      'app.config.ts': "import './app/one.js';",
      'app/one.ts': '',
      'app/two.ts': '',
      'app/edited.ts': '',
      'dist/app/foreign.js': 'mine',
    });
    await buildApp({ root });
    await project({ 'dist/app/edited.js': 'edited by hand' });
    for (const gone of ['two.ts', 'edited.ts']) await rm(path.join(root, 'app', gone));
    expect(await buildApp({ root })).toMatchObject({
      removed: ['dist/app/edited.js.map', 'dist/app/two.js', 'dist/app/two.js.map'],
    });
    expect((await built()).sort()).toEqual(['app.config.js', 'app/edited.js', 'app/foreign.js', 'app/one.js']);
    expect(await readFile(path.join(root, 'dist/app/edited.js'), 'utf8')).toBe('edited by hand');
  });

  test('leaves the rest alone when it builds only some files, unless their sources are gone', async () => {
    await project({ 'app.config.ts': "import './app/one.js';", 'app/one.ts': '', 'app/two.ts': '' });
    await buildApp({ root });
    await project({ 'seed.ts': '' });
    await rm(path.join(root, 'app/two.ts'));
    const { removed } = await buildApp({ root, include: ['seed.ts'] });
    expect(removed).toEqual(['dist/app/two.js', 'dist/app/two.js.map']);
    expect((await built()).sort()).toEqual(['app.config.js', 'app/one.js', 'seed.js']);
  });

  test.each([
    ['is damaged', '{ "version": 1, "outp'],
    ['is of another version', '{ "version": 99, "outputs": { "app/two.js": "" } }'],
    ['leads out of the folder', '{ "version": 1, "outputs": { "../app/one.ts": "", "/etc/hosts": "" } }'],
  ])('removes nothing when its list %s', async (_, list) => {
    await project({ 'app/one.ts': '', 'app/two.ts': '' });
    await buildApp({ root });
    await rm(path.join(root, 'app/two.ts'));
    await project({ 'dist/.fw-build.json': list });
    expect((await buildApp({ root })).removed).toEqual([]);
    expect(await built()).toContain('app/two.js');
  });

  describe('of what only a compiler can follow', () => {
    const paths = { '@app/*': ['./app/*'], '#lib/*': ['./app/*'], 'left-pad': ['./app/pad.ts'] };
    beforeEach(() =>
      project({
        'tsconfig.json': JSON.stringify({ compilerOptions: { paths } }),
        'app.config.ts': "import './app/use.js';",
        'app/price.ts': 'export const price: number = 1;',
        'app/pad.ts': 'export default 1;',
      }),
    );
    const use = (specifier: string, ...others: string[]) =>
      project({
        'app/use.ts': `// first line\nimport * as all from '${specifier}';\n${others.join('\n')}console.log(all);`,
      });
    const build = () => buildApp({ root, check: false });
    const refused = (...parts: string[]) =>
      Promise.all(
        parts.map((part) =>
          expect(build()).rejects.toMatchObject({
            code: 'FW_BUILD_IMPORTS',
            message: expect.stringContaining(part),
          }),
        ),
      );

    test('refuses aliases that look like names of package.json, and names that lead Node to a source', async () => {
      await use('#lib/price.js');
      await refused('app/use.ts:2:', '"#lib/price.js" is an alias of tsconfig.json for app/price.ts', '"imports": {');
      expect(await readdir(root)).not.toContain('dist');
      await project({ 'package.json': '{ "imports": { "#app/*": "./app/*" } }' });
      await use('#app/price.js');
      await refused('"#app/price.js" leads Node to ./app/price.js by "imports" of package.json');
    });

    test('sees aliases of a tsconfig.json that another one refers to', async () => {
      await project({
        'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
        'tsconfig.app.json': JSON.stringify({
          compilerOptions: { composite: true, paths },
          include: ['app', 'app.config.ts'],
        }),
      });
      await use('@app/price.js');
      await build();
      expect(await readFile(path.join(root, 'dist/app/use.js'), 'utf8')).toContain('from "./price.js"');
    });

    test('takes names of package.json that lead the compiler to the source and Node to the output', async () => {
      await project({
        'package.json': JSON.stringify({
          type: 'module',
          imports: { '#app/*': { types: './app/*', default: './dist/app/*' }, '#data': './data.mjs' },
        }),
        'data.mjs': '',
      });
      await use('#app/price.js', "import '#data';");
      await build();
      const { exitCode } = await runProcess({
        command: process.execPath,
        args: ['dist/app.config.js'],
        cwd: root,
        timeoutMs: PATIENCE_MS,
        maxOutputBytes: 1 << 20,
      });
      expect(exitCode).toBe(0);
    });

    test('leaves a name alone that is also a package, which Node finds', async () => {
      await project({ 'node_modules/left-pad/package.json': '{ "name": "left-pad" }' });
      await use('left-pad');
      expect(await build()).toMatchObject({ files: 4 });
    });
  });

  test('compiles with the settings that a tsconfig.json refers to', async () => {
    await project({
      'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
      'tsconfig.app.json':
        '{ "compilerOptions": { "composite": true, "experimentalDecorators": true }, "include": ["app"] }',
      'app/car.ts': 'const mark = (..._: unknown[]) => undefined;\nexport class Car { @mark plate = 1; }',
    });
    await buildApp({ root, check: false });
    expect(await readFile(path.join(root, 'dist/app/car.js'), 'utf8')).toContain('__decorateClass');
  });

  describe('with a tsconfig.json', () => {
    const settings = (options: object = {}, rest: object = {}) =>
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2022',
          lib: ['es2022'],
          strict: true,
          types: [],
          skipLibCheck: true,
          ...options,
        },
        ...rest,
      });
    const wrong = "export const n: number = 'x';\n";
    beforeEach(async () => {
      await mkdir(path.join(root, 'node_modules'));
      await symlink(path.resolve('node_modules/typescript'), path.join(root, 'node_modules/typescript'));
      await project({
        'app.config.ts': 'export default () => import("./models/car.js");',
        'models/car.ts': 'export const wheels: number = LIMIT;',
        'types/globals.d.ts': 'declare const LIMIT: number;',
      });
    });

    test('names the file and line of a type error in what is built, and writes nothing', async () => {
      await project({ 'tsconfig.json': settings(), 'models/car.ts': wrong });
      await expect(buildApp({ root })).rejects.toMatchObject({
        code: 'FW_BUILD_TYPES',
        message: expect.stringMatching(/^models\/car\.ts:1:14 - error TS2322: /m),
      });
      expect(await readdir(root)).not.toContain('dist');
      expect(await buildApp({ root, check: false })).toMatchObject({
        types: { checked: false, skipped: '--no-check' },
      });
    });

    test('does not mind what is not built, and settings that are about output', async () => {
      const output = {
        composite: true,
        declaration: true,
        declarationMap: true,
        emitDeclarationOnly: true,
        declarationDir: 'types',
        rootDir: '.',
      };
      await project({
        'tsconfig.json': settings(output, { include: ['models', 'tests', 'types'] }),
        'tests/a.test.ts': wrong,
        'models/car.test.ts': wrong,
        'scripts/tool.ts': wrong,
      });
      expect(await buildApp({ root })).toMatchObject({ files: 2, types: { checked: true } });
    });

    test('takes the settings of the referred project that has the files', async () => {
      await project({
        'tsconfig.json': JSON.stringify({
          files: [],
          references: [{ path: './tsconfig.app.json' }, { path: './tsconfig.tests.json' }],
        }),
        'tsconfig.tests.json': settings({ strict: true, composite: true }, { include: ['tests'] }),
        'tsconfig.app.json': settings(
          { strict: false, composite: true },
          { include: ['app.config.ts', 'models', 'types'] },
        ),
        'models/car.ts': 'export const open = (a) => a + LIMIT;',
      });
      expect(await buildApp({ root })).toMatchObject({ types: { checked: true } });
    });

    test('refuses what a compiler of single files cannot do', async () => {
      await project({
        'tsconfig.json': settings(),
        'models/car.ts': "export { Wheel } from './wheel.js';",
        'models/wheel.ts': 'export interface Wheel { size: number }',
      });
      await expect(buildApp({ root })).rejects.toMatchObject({ message: expect.stringContaining('TS1205') });
    });

    test('says what to install when there is no compiler', async () => {
      await rm(path.join(root, 'node_modules/typescript'));
      await project({ 'tsconfig.json': settings() });
      await expect(buildApp({ root })).rejects.toMatchObject({ code: 'FW_BUILD_NO_TYPESCRIPT' });
    });
  });

  test('checks no types where there is no tsconfig.json, and says so', async () => {
    await project({ 'app.config.ts': 'export default 1;' });
    expect(await buildApp({ root })).toMatchObject({ types: { checked: false, skipped: 'there is no tsconfig.json' } });
  });

  test('compiles only what it is told to', async () => {
    await project({ 'app.config.ts': "import './other.js';", 'other.ts': '', 'one.ts': 'export {};' });
    await buildApp({ root, include: ['one.ts'] });
    expect(await built()).toEqual(['one.js']);
  });
});
