import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { definePlugin, type OptionsInput, plugin, type Plugin, Type } from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import { RecordingHandle } from './contract/recording-handle.js';
import { databaseNamed, Databases, defineDialect } from './dialect/index.js';
import orm, { Database, model, registerModel, type DatabaseHandle, type Dialect } from './index.js';
import {
  builtInDialects,
  defaultDialect,
  type DialectFacts,
  driverPackage,
  driverVersion,
  factsProblem,
  knownDialects,
  clientNames,
  missingBuiltin,
  throughClient,
} from './registry/index.js';

const { dialect } = ((await import(defaultDialect.module)) as { default: { dialect: Dialect } }).default;
const opened: string[] = [];

class ClosingHandle extends RecordingHandle {
  constructor(private readonly file: string) {
    super();
    opened.push(file);
  }
  override async close() {
    opened.push(`closed ${this.file}`);
  }
}

const options = Type.Object({ file: Type.String(), size: Type.Optional(Type.Integer()) });
const toy = defineDialect({
  id: 'toy-dialect',
  description: 'A database of a test.',
  dialect,
  options,
  open: async ({ file }: { file: string }) => {
    if (path.basename(file) === 'broken') throw new RangeError('cannot be opened');
    return new ClosingHandle(file.includes(':') ? file : path.relative(process.cwd(), file));
  },
});

const listed = (each: Plugin<OptionsInput<typeof options>>, given: { file: string }) => plugin(async () => each, given);
const withOrm = (more: Record<string, unknown> = {}) => plugin(async () => orm, { schema: 'none', ...more } as never);

let app: BootedTestApp | undefined;
beforeEach(() => void opened.splice(0));
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

describe('the databases of an application', () => {
  test('are those of the dialects that it lists, in whatever order, with and without names', async () => {
    const reader = definePlugin({
      id: 'reader',
      category: 'app',
      description: 'Reads at start.',
      uses: [Database, databaseNamed('reports')],
      start: ({ get }) => void get(databaseNamed('reports')).stats(),
    });
    const plugins = [
      plugin(async () => reader),
      listed(toy.named('reports'), { file: 'second' }),
      listed(toy, { file: 'first' }),
      withOrm(),
    ];
    app = await bootTestApp({ plugins });
    expect(opened).toEqual(['first', 'second']);
    const { services } = app;
    expect(services.get(Databases).names()).toEqual(['default', 'reports']);
    expect(services.get(databaseNamed('reports'))).toBe(services.get(Databases).get('reports'));
    expect(services.get(databaseNamed('reports'))).not.toBe(services.get(Database));
    expect(databaseNamed('default')).toBe(Database);
    expect(() => services.get(Databases).get('report')).toThrow(
      'The application has no database called report; it has: default, reports.',
    );
    const probe = app.diagnostics.get('orm');
    expect(probe).toMatchObject({
      detail: { dialect: dialect.name, databases: { reports: { dialect: dialect.name } } },
    });
    await app.stop();
    app = undefined;
    expect(opened.slice(2)).toEqual(['closed second', 'closed first']);
  });

  test('lie where the application does, from whichever folder it is started; what is no path stays', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'fw-databases-'));
    const files = ['data/app.db', path.join(root, 'absolute.db'), ':memory:', 'memory://', 'file:app.db'];
    const plugins = files.map((file, at) => listed(at === 0 ? toy : toy.named(`other${at}`), { file }));
    app = await bootTestApp({ root, plugins: [withOrm(), ...plugins] });
    const at = opened.map((file) => (file.includes(':') ? file : path.resolve(file)));
    expect(at).toEqual([path.join(root, 'data/app.db'), ...files.slice(1)]);
    rmSync(root, { recursive: true });
  });

  test('resolve nothing per query', async () => {
    app = await bootTestApp({ plugins: [listed(toy, { file: 'first' }), withOrm()] });
    const db: DatabaseHandle = app.services.get(Database);
    const before = app.services.resolutions;
    class Thing {}
    expect(() => model(db, Thing)).toThrow('Thing');
    await db.ping();
    expect(app.services.resolutions).toBe(before);
  });

  test('get the tables of the models that name them, and no others', async () => {
    class Entry {}
    class Order {}
    class Note {}
    const columns = [{ property: 'id', column: 'id', kind: 'int', primaryKey: true }] as const;
    registerModel(Entry, { name: 'Entry', table: 'entries', columns, database: 'reports' });
    registerModel(Order, { name: 'Order', table: 'orders', columns, database: ['default', 'reports'] });
    registerModel(Note, { name: 'Note', table: 'notes', columns });
    const text = { property: 'body', column: 'body', kind: 'text' } as const;
    registerModel(class {}, {
      name: 'ReportNote',
      table: 'notes',
      columns: [...columns, text],
      database: 'reports',
    } as never);
    const plugins = [listed(toy, { file: 'first' }), withOrm({ schema: 'create-missing' })];
    const named = listed(toy.named('reports'), { file: 'second' });
    app = await bootTestApp({ plugins: [...plugins, named] });
    const madeIn = (name: string) => {
      const { sql } = app?.services.get(Databases).get(name).sqlDB() as unknown as RecordingHandle;
      return sql.flatMap((each) => /CREATE TABLE \W*(\w+)/.exec(each)?.[1] ?? []);
    };
    expect(madeIn('default')).toEqual(['orders', 'notes']);
    expect(madeIn('reports')).toEqual(['entries', 'orders', 'notes']);
    const note = (name: string) =>
      (app?.services.get(Databases).get(name).sqlDB() as unknown as RecordingHandle).sql.find((each) => /CREATE TABLE \W*notes/.test(each)); // prettier-ignore
    expect(note('default')).not.toContain('body');
    expect(note('reports')).toContain('body');
    await app.stop();
    app = undefined;
    await expect(bootTestApp({ plugins })).rejects.toThrow('no database called reports; it has: default');
  });

  test('of which one cannot be opened close those before it', async () => {
    const plugins = [listed(toy, { file: 'first' }), listed(toy.named('reports'), { file: 'broken' }), withOrm()];
    await expect(bootTestApp({ plugins })).rejects.toThrow('cannot be opened');
    expect(opened).toEqual(['first', 'closed first']);
  });

  test('have one name each', async () => {
    const { address } = defaultDialect;
    const plugins = [
      listed(toy, { file: 'first' }),
      withOrm({ driver: defaultDialect.name, [address.option]: address.inTests ?? address.example }),
    ];
    await expect(bootTestApp({ plugins })).rejects.toMatchObject({ code: 'FW_ORM_DATABASE_TWICE' });
    expect(() => toy.named('Reports')).toThrow('expected a lower-case word such as reports');
    expect(() => toy.named('default')).toThrow('and not default');
  });

  test('need the plugin that opens them', async () => {
    await expect(bootTestApp({ plugins: [listed(toy, { file: 'first' })] })).rejects.toMatchObject({
      code: 'FW_PLUGIN_NEEDS',
    });
  });

  test.each([
    [{}, 'orm: the options name no database; dialects: '],
    [{ driver: 'oracle' }, 'orm: no dialect is called "oracle"; dialects: '],
    [{ url: 'oracle://scott:tiger@host/x' }, 'orm: no dialect has addresses of oracle:; dialects: '],
  ])('are not guessed: %j', async (given, sentence) => {
    const booted = bootTestApp({ plugins: [withOrm(given)] });
    await expect(booted).rejects.toThrow(sentence);
    await expect(booted).rejects.not.toThrow('tiger');
  });
});

describe('the facts of the dialects', () => {
  test.each(builtInDialects.map((facts) => [facts.name, facts] as const))(
    'of %s are those of its code',
    async (name, facts) => {
      expect(factsProblem(facts)).toBeUndefined();
      const { default: made } = (await import(facts.module)) as { default: typeof toy };
      expect(made.dialect.name).toBe(name);
      expect(Object.keys(made.manifest.options?.properties ?? {})).toContain(facts.address.option);
      expect(made.manifest.id).toBe(`orm/${name}`);
    },
  );

  test.each([
    [{ package: 'toy', versions: [{ version: '1.0.0' }] }, 'toy', undefined],
    [{ builtin: 'node:toy', node: '>=24.1' }, undefined, 'node:toy'],
    [{ builtin: 'node:toy', node: '>=20' }, undefined, undefined],
    [undefined, undefined, undefined],
  ])('say what has to be installed, and what the Node lacks: %j', (driver, installed, lacking) => {
    const facts = { ...defaultDialect, driver } as DialectFacts;
    expect(factsProblem(facts)).toBeUndefined();
    expect(driverPackage(facts)?.package).toBe(installed);
    expect(missingBuiltin(facts, '24.0.0')?.builtin).toBe(lacking);
  });

  test('say what else does instead of the driver, where the options name it', () => {
    const facts: DialectFacts = {
      ...defaultDialect,
      driver: { package: 'toy', versions: [{ version: '1.0.0' }] },
      clients: [{ builtin: 'node:toy', node: '>=24' }],
    };
    expect(factsProblem(facts)).toBeUndefined();
    expect(clientNames(facts)).toEqual(['toy', 'node:toy']);
    expect(throughClient(facts, 'toy')).toBe(facts);
    expect(throughClient(facts, 'node:toy')).toMatchObject({ name: facts.name, driver: { builtin: 'node:toy' } });
    expect(throughClient(facts, 'other')).toBeUndefined();
  });

  test('choose a driver that the Node runs', () => {
    const driver = { package: 'x', versions: [{ version: '2', napi: 10 }, { version: '1' }] };
    expect([{ napi: '9' }, { napi: '10' }, {}].map((node) => driverVersion(driver, node))).toEqual(['1', '2', '1']);
  });

  describe('of a third party', () => {
    let root: string;
    beforeEach(() => void (root = mkdtempSync(path.join(tmpdir(), 'fw-dialects-'))));
    afterEach(() => rmSync(root, { recursive: true }));

    const facts = {
      name: 'toy',
      title: 'Toy',
      module: 'toy-dialect/orm',
      driver: { package: 'toy', versions: [{ version: '1.0.0' }] },
      address: { option: 'file', example: 'x.toy', variable: 'TOY_FILE' },
    };
    const install = async (dialects: unknown) => {
      const { mkdir, writeFile } = await import('node:fs/promises');
      await mkdir(path.join(root, 'node_modules/toy-dialect'), { recursive: true });
      await writeFile(path.join(root, 'package.json'), JSON.stringify({ dependencies: { 'toy-dialect': '1' } }));
      const manifest = { name: 'toy-dialect', fw: { dialects } };
      await writeFile(path.join(root, 'node_modules/toy-dialect/package.json'), JSON.stringify(manifest));
    };

    test('are read from the packages that the project depends on', async () => {
      expect(await knownDialects(root)).toEqual(builtInDialects);
      await install([facts]);
      expect(await knownDialects(root)).toEqual([...builtInDialects, facts]);
      await install(undefined);
      expect(await knownDialects(root)).toEqual(builtInDialects);
    });

    test.each([
      [facts, 'fw.dialects is no list'],
      [[{ ...facts, name: 'Toy' }], 'name is no lower-case word'],
      [[{ ...facts, driver: { package: 'toy', versions: [] } }], 'driver.versions is no list'],
      [[{ ...facts, driver: 'toy' }], 'driver is no object'],
      [[{ ...facts, driver: { versions: facts.driver.versions } }], 'driver.package is no text'],
      [[{ ...facts, driver: { builtin: 'sqlite', node: '>=24' } }], 'driver.builtin does not begin with node:'],
      [[{ ...facts, driver: { builtin: 'node:sqlite' } }], 'driver.node is no range of releases of Node'],
      [[{ ...facts, driver: { ...facts.driver, builtin: 'node:sqlite' } }], 'driver is a package and a module of Node'],
      [[{ ...facts, driver: { ...facts.driver, compiled: true } }], 'driver.compiled is no object'],
      [[{ ...facts, driver: { ...facts.driver, compiled: {} } }], 'driver.compiled.trial is no text'],
      [[{ ...facts, clients: 'node:sqlite' }], 'clients is no list'],
      [[{ ...facts, clients: [{ package: 'toy', versions: [] }] }], 'clients has what is no module of Node'],
      [[{ ...facts, clients: [{ builtin: 'node:sqlite' }] }], 'driver.node is no range of releases of Node'],
      [[{ ...facts, address: { option: 'file', example: 'x' } }], 'address.variable is no text'],
      [[{ ...facts, module: 'other' }], 'module is other, which is not of this package'],
      [
        [{ ...facts, name: defaultDialect.name }],
        `the name ${defaultDialect.name} is that of ${defaultDialect.module}`,
      ],
    ])('are refused with the package that has them: %#', async (dialects, problem) => {
      await install(dialects);
      await expect(knownDialects(root)).rejects.toMatchObject({ code: 'FW_ORM_DIALECT_FACTS' });
      await expect(knownDialects(root)).rejects.toThrow(
        `The package toy-dialect declares a dialect that cannot be used: ${problem}`,
      );
    });
  });
});
