import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { buildApp } from '../../kernel/build/index.js';
import { runProcess } from '../../kernel/process/index.js';
import { Compiler } from '../corpus/compiler.js';
import { roundTrip } from '../corpus/round-trip.js';
import { runCodegen } from '../engine/index.js';
import { PATIENCE_MS } from '../../kernel/testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const settings = (more: object, include: readonly string[]) =>
  JSON.stringify({
    compilerOptions: {
      target: 'ES2022',
      module: 'nodenext',
      strict: true,
      experimentalDecorators: true,
      useDefineForClassFields: false,
      skipLibCheck: true,
      types: [],
      ...more,
    },
    include,
  });

const LIBRARY = {
  'package.json': JSON.stringify({
    name: '@acme/models',
    version: '1.0.0',
    type: 'module',
    files: ['dist'],
    exports: {
      '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' },
      './generated': './dist/generated/index.js',
    },
    fw: { models: './dist/fw-models.json' },
  }),
  'app.config.ts': `import { defineApp } from 'fw';
export default defineApp({ name: 'models', models: ['models/*.ts'], plugins: [], generated: () => import('./generated/index.js') });
`,
  'src/index.ts': `export { Base, type Stage } from '../models/base.js';
export { Tenant as Owner } from '../models/tenant.js';
`,
  'models/base.ts': `import { belongsTo, type BelongsTo, db, type Int, type Json, validate } from 'fw/orm';
import { Tenant } from './tenant.js';
export type Stage = 'open' | 'done';
const NAME_LENGTH = 40;
export abstract class Base<Data> {
  @db('id,pk,autoincrement') id!: Int;
  @db('tenant_id') tenantId!: Int;
  @db(\`name,size=\${NAME_LENGTH}\`) @validate('required') name!: string;
  @db('stage') stage: Stage = 'open';
  @db('visits') visits = 0 as Int;
  @db('data') data!: Json<Data>;
  @belongsTo(() => Tenant) tenant?: BelongsTo<Tenant>;
}
`,
  'models/tenant.ts': `import { db, type Int, table } from 'fw/orm';
@table('tenants')
export class Tenant {
  @db('id,pk,autoincrement') id!: Int;
  @db('label') label!: string;
}
`,
  'tsconfig.json': settings({}, ['models', 'generated', 'src']),
};

const APP = {
  'package.json': '{ "name": "app", "type": "module", "private": true }',
  'app.config.ts': `import { defineApp } from 'fw';
export default defineApp({ name: 'app', models: ['app/models/*.ts'], plugins: [] });
`,
  'app/models/task.ts': `import { belongsTo, type BelongsTo, db, type Int, table } from 'fw/orm';
import { Base, Owner, type Stage } from '@acme/models';
@table('tasks')
export class Task extends Base<{ note: string }> {
  @db('previous') previous!: Stage | null;
  @db('owner_id') ownerId!: Int;
  @belongsTo(() => Owner) owner?: BelongsTo<Owner>;
}
`,
  'tsconfig.json': settings({ noEmit: true }, ['app', 'generated']),
};

let folder: string;
let library: string;
let app: string;

const write = (root: string, files: Readonly<Record<string, string>>) => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
};

const link = (root: string, name: string, to: string) => {
  mkdirSync(path.join(root, 'node_modules'), { recursive: true });
  symlinkSync(to, path.join(root, 'node_modules', name), 'dir');
};

async function run(root: string, command: string, ...args: string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runProcess({
    command,
    args,
    cwd: root,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 1 << 20,
  });
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
}

/** Builds the library as its author does. */
async function built(): Promise<void> {
  expect(await runCodegen({ root: library })).toMatchObject({ ok: true, problems: [] });
  await buildApp({ root: library, check: false });
  const folders = ['src', 'models', 'generated'];
  const files = folders.flatMap((name) => readdirSync(path.join(library, name)).map((file) => `${name}/${file}`));
  const sources = files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -'.ts'.length));
  for (const each of sources) {
    const text = readFileSync(path.join(library, `${each}.ts`), 'utf8');
    const { outputText } = ts.transpileDeclaration(text, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
    // With the types at hand, as here they are not, the compiler writes what an inferred alias stands for.
    write(library, { [`dist/${each}.d.ts`]: outputText.replace('visits: Int', 'visits: number') });
  }
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-library-')));
  [library, app] = [path.join(folder, 'library'), path.join(folder, 'app')];
  write(library, LIBRARY);
  write(app, APP);
  link(library, 'fw', ROOT);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a package that ships what its models are', () => {
  test('is packed and installed: others inherit its columns, refer to its models, and write and read rows', async () => {
    await built();
    await run(library, 'npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
    await run(app, 'npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', path.join(folder, 'acme-models-1.0.0.tgz')); // prettier-ignore
    link(app, 'fw', ROOT);
    expect(await runCodegen({ root: app })).toMatchObject({ ok: true, problems: [] });
    const text = readFileSync(path.join(app, 'generated/task.ts'), 'utf8');
    expect(text).toContain("import { Owner as Tenant } from '@acme/models';");
    expect(text).toContain("import '@acme/models/generated';");
    expect(text).toMatch(/column: 'visits', kind: 'int'/);
    expect(text).toMatch(/column: 'stage', kind: 'enum', values: \['open', 'done'\]/);
    expect(text).toMatch(/column: 'name', kind: 'string', size: 40, rules: \[\{ rule: 'required' \}\]/);
    expect(new Compiler().errorsOf(app)).toEqual([]);
    const { differences, rows } = await roundTrip(app);
    expect(differences).toEqual([]);
    expect(Object.keys(rows).sort()).toEqual(['Task', 'Tenant']);
    expect(rows['Task']?.read).toEqual(rows['Task']?.written);
  }, 300_000);

  const installed = (file: string) => path.join(app, 'node_modules/@acme/models', file);
  async function copied(): Promise<void> {
    await built();
    for (const file of [
      'package.json',
      'dist/fw-models.json',
      'dist/src/index.d.ts',
      'dist/models/base.d.ts',
      'dist/models/tenant.d.ts',
    ])
      // prettier-ignore
      write(app, { [`node_modules/@acme/models/${file}`]: readFileSync(path.join(library, file), 'utf8') });
    link(app, 'fw', ROOT);
  }

  test('is read anew when what it ships changes, whatever was kept', async () => {
    await copied();
    const options = { root: app, code: 'a build' };
    expect(await runCodegen(options)).toMatchObject({ ok: true, skipped: false });
    expect(await runCodegen(options)).toMatchObject({ skipped: true });
    const file = installed('dist/fw-models.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('name,size=40', 'name,size=41'));
    expect(await runCodegen(options)).toMatchObject({
      ok: true,
      written: expect.arrayContaining(['generated/task.ts']),
    });
    expect(readFileSync(path.join(app, 'generated/task.ts'), 'utf8')).toContain('size: 41');
  });

  test.each([
    ['missing', undefined, 'it is not there'],
    ['damaged', '{ "format": 1, ', 'it is not JSON'],
    ['of another version', '{ "format": 2, "classes": [] }', 'its format is 2, and this framework reads 1'],
    ['of another shape', '{ "format": 1, "classes": [{ "name": "Base" }] }', '/classes/0'],
  ])('is refused when the file is %s', async (_, text, problem) => {
    const name = 'node_modules/@acme/models/dist/fw-models.json';
    write(app, {
      'node_modules/@acme/models/package.json': LIBRARY['package.json'],
      'node_modules/@acme/models/dist/src/index.d.ts': 'export declare class Base<D> { id: number; data: D }\nexport declare class Owner { id: number }\nexport type Stage = string;\n', // prettier-ignore
      ...(text !== undefined && { [name]: text }),
    });
    link(app, 'fw', ROOT);
    await expect(runCodegen({ root: app })).rejects.toMatchObject({
      code: 'FW_CODEGEN_LIBRARY',
      message: expect.stringContaining(problem),
    });
  });

  test.each([
    ['a file outside dist/', { 'package.json': '{ "name": "x", "fw": { "models": "../x.json" } }' }, 'expected a .json file below ./dist/'], // prettier-ignore
    ['models that are wrong', { 'models/tenant.ts': LIBRARY['models/tenant.ts'].replace('label!: string', 'label!: Unknown') }, 'models/tenant.ts:5:'], // prettier-ignore
    ['two classes of one name', { 'models/other.ts': LIBRARY['models/base.ts'].replace("'tenant_id'", "'t_id'") }, 'two classes are called Base'], // prettier-ignore
  ])('is not built with %s', async (_, files, problem) => {
    write(library, files);
    write(library, { 'generated/index.ts': '' });
    await expect(buildApp({ root: library, check: false })).rejects.toMatchObject({
      code: 'FW_CODEGEN_LIBRARY_WRITE',
      message: expect.stringContaining(problem),
    });
  });
});
