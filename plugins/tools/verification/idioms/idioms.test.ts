import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { IDIOMS } from '../../knowledge/index.js';
import { fwCheckIdioms } from '../fw-check-idioms.js';
import { callOn, projectOnDisk, removeProjects } from '../testing/project-on-disk.js';
import type { Finding } from './finding.js';

afterEach(removeProjects);

interface Report {
  readonly findings: readonly Finding[];
  readonly files_checked: number;
  readonly rules_checked: readonly string[];
  readonly skipped: readonly object[];
}

const check = async (files: Readonly<Record<string, string>>) =>
  (await callOn<Report>(fwCheckIdioms, await projectOnDisk(files))).structured;

const routeModule = (body: string, imports = '') =>
  `import { routes } from 'fw/http';\n${imports}\nexport default routes((router) => {\n${body}\n});\n`;
const model = `import { db, type Int, table } from 'fw/orm';
@table('orders')
export class Order {
  @db('id,pk') id!: Int;
}
`;
const config = (...modules: string[]) =>
  `import { defineApp, plugin } from 'fw';
export default defineApp({ name: 'x', plugins: [
${modules.map((each) => `  plugin(() => import('${each}'), { on: true }),`).join('\n')}
] });\n`;
const block = (body: string, hash: string) =>
  `// fw:block:routes:start hash=${hash}\n${body}\n// fw:block:routes:end\n`;

interface Case {
  readonly rule: string;
  readonly triggers: Readonly<Record<string, string>>;
  readonly found: { readonly file: string; readonly line: number; readonly message: RegExp; readonly fix: RegExp };
  readonly follows: Readonly<Record<string, string>>;
}

const CASES: readonly Case[] = [
  {
    rule: 'no-reflection-in-handlers',
    triggers: { 'app/a.ts': routeModule("router.get('/', () => Reflect.getMetadata('x', router));") },
    found: {
      file: 'app/a.ts',
      line: 4,
      message: /Reflect\.getMetadata\(\) runs for every request/,
      fix: /schema or a model/,
    },
    // Outside of a request, and names that only look like the globals.
    follows: {
      'app/a.ts': `const cached = eval('1');\nexport const made = new Function('return 1');\n${routeModule("router.get('/', () => { const eval = (x: string) => x; return eval('1') + cached; });", "import { Reflect } from './b.js';\nconsole.log(Reflect.getMetadata());")}`,
      'app/b.ts': 'export const Reflect = { getMetadata: () => 1 };',
    },
  },
  {
    rule: 'fleet-before-dashboard',
    triggers: { 'app.config.ts': config('fw/http', 'fw/dashboard', 'fw/docs', 'fw/fleet/tracer') },
    found: { file: 'app.config.ts', line: 4, message: /dashboard stands before Fleet/, fix: /Move the entry/ },
    follows: { 'app.config.ts': config('fw/http', 'fw/fleet/tracer', 'fw/docs', 'fw/dashboard') },
  },
  {
    rule: 'docs-ui-is-the-viewer',
    triggers: { 'app/a.ts': "import { scalarMiddleware as ui } from 'fw/docs';\nexport default ui;" },
    found: {
      file: 'app/a.ts',
      line: 1,
      message: /deprecated name of docsUIMiddleware/,
      fix: /Import and use docsUIMiddleware/,
    },
    follows: {
      'app/a.ts':
        "import { docsUIMiddleware } from 'fw/docs';\nimport { scalarMiddleware } from 'elsewhere';\nexport default [docsUIMiddleware, scalarMiddleware];",
    },
  },
  {
    rule: 'generated-model-accessors',
    triggers: {
      'app/models/order.ts': model,
      'app/a.ts': 'export const q = (id: number) => `select * from orders where id = ${id}`;',
    },
    found: { file: 'app/a.ts', line: 1, message: /table orders of model Order/, fix: /model\(db, Order\)/ },
    follows: {
      'app/models/order.ts': model,
      'app/a.ts': "export const q = ['select * from elsewhere', 'update your orders', 'orders'];",
      'app/migrations/1.ts': "export const up = 'update orders set id = 1';",
      'tests/a.test.ts': "export const q = 'select * from orders';",
    },
  },
  {
    rule: 'blocking-for-slow-work',
    triggers: {
      'app/a.ts': routeModule(
        "router.post('/', { title: 'x' }, async () => report());",
        "import { report } from './b.js';",
      ),
      'app/b.ts':
        "import * as fs from 'node:fs';\nexport function report() { return fs.readFileSync('/etc/hostname'); }",
    },
    found: {
      file: 'app/b.ts',
      line: 2,
      message: /readFileSync holds up every other request/,
      fix: /readFile of node:fs\/promises/,
    },
    follows: {
      'app/a.ts': routeModule(
        "router.handleBlocking('POST', '/', { module: './b.js', export: 'report' });\nconst text = readFileSync('x');\nrouter.get('/', async () => (await readFile('x')) + text);",
        "import { readFileSync } from 'node:fs';\nimport { readFile } from 'node:fs/promises';",
      ),
      'app/b.ts': "import { readFileSync } from 'node:fs';\nexport function report() { return readFileSync('x'); }",
    },
  },
  {
    rule: 'marker-blocks-are-generated',
    triggers: { 'app/route-modules.ts': `export const a = 1;\n${block('export const ROUTES = [];', '0123456789ab')}` },
    found: {
      file: 'app/route-modules.ts',
      line: 2,
      message: /block "routes" was edited/,
      fix: /generate it again with force/,
    },
    follows: { 'app/route-modules.ts': 'export const ROUTES = [];' },
  },
];

describe('fw_check_idioms', () => {
  test.each(CASES)(
    'finds what breaks $rule, and where, and proposes a fix',
    async ({ rule, triggers, found, follows }) => {
      const { findings } = await check(triggers);
      expect(findings).toMatchObject([
        {
          rule,
          file: found.file,
          line: found.line,
          message: expect.stringMatching(found.message),
          fix: expect.stringMatching(found.fix),
          severity: IDIOMS.find((idiom) => idiom.rule === rule)?.severity,
        },
      ]);
      expect(triggers[found.file]?.split('\n')[found.line - 1]).toContain(findings[0]?.excerpt);
      expect((await check(follows)).findings).toEqual([]);
    },
  );

  test('says that nothing was checked where there is no project, and checks a part of one', async () => {
    const summaryOf = async (files: Readonly<Record<string, string>>, part = '') => {
      const root = await projectOnDisk(files);
      return (await callOn<Report>(fwCheckIdioms, root, { path: path.join(root, part) })).summary;
    };
    const source = { 'app/a.ts': 'export const a = 1;\n' };
    const nothing = /^Nothing of a project was checked: there is no app\.config\.ts here or above/;
    expect(await summaryOf(source)).toMatch(nothing);
    expect(await summaryOf({ 'package.json': '{}' })).toBe(
      'Nothing of a project was checked: no TypeScript files found.',
    );
    expect(await summaryOf({ ...source, 'app.config.ts': config() }, 'app')).toMatch(/^1 file\(s\) follow/);
  });

  test('has a rule for each idiom that says it is checked, and no other', async () => {
    const { rules_checked: rules } = await check({ 'app/a.ts': '' });
    const checked = IDIOMS.filter(({ statically_checked: is }) => is).map(({ rule }) => rule);
    expect([...rules].sort()).toEqual([...checked].sort());
    expect(CASES.map(({ rule }) => rule).sort()).toEqual([...checked].sort());
  });

  test('proposes a replacement that applies as it is, where a fix is mechanical', async () => {
    const text = config('fw/dashboard', 'fw/fleet');
    const [finding] = (await check({ 'app.config.ts': text })).findings;
    const { from, to } = finding?.replacement as { from: string; to: string };
    expect(text.replace(from, to)).toBe(config('fw/fleet', 'fw/dashboard'));
  });

  test('looks into every kind of handler: groups, routers by type, middlewares, named functions', async () => {
    const { findings } = await check({
      'app/group.ts': routeModule(
        "router.group('/a', (inner) => { inner.get('/', named); });\nfunction named() { return eval('1'); }",
      ),
      'app/typed.ts':
        "import type { Router } from 'fw';\nexport function more(r: Router) { r.put('/', [() => eval('2')]); }",
      'app/middleware.ts':
        "import type { Middleware } from 'fw';\nexport const mw: Middleware = async (ctx, next) => { eval('3'); await next(); };",
      'app/context.ts':
        "import type { HttpContext } from 'fw';\nexport function act(ctx: HttpContext) { return eval('4'); }",
    });
    expect(findings.map(({ file }) => file)).toEqual([
      'app/context.ts',
      'app/group.ts',
      'app/middleware.ts',
      'app/typed.ts',
    ]);
  });

  test('names files that do not parse, and looks at no installed, built or declaration files', async () => {
    const report = await check({
      'app/broken.ts': 'export const = 1;',
      'node_modules/x/a.ts': 'broken(',
      'dist/a.ts': 'broken(',
      'app/a.d.ts': 'broken(',
      'app/good.ts': 'export {};',
    });
    expect(report).toMatchObject({
      files_checked: 1,
      skipped: [{ file: 'app/broken.ts', reason: expect.stringMatching(/^line 1: /) }],
    });
  });
});
