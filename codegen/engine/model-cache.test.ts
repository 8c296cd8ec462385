import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { modelGenerator } from '../orm/index.js';
import { runCodegen } from './index.js';
import { CodegenSession } from './session.js';

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-models-')));
  mkdirSync(path.join(root, 'node_modules'));
  for (const [file, text] of Object.entries(PROJECT)) write(file, text);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const PROJECT: Readonly<Record<string, string>> = {
  'app.config.ts':
    "import { defineApp } from 'fw';\nexport default defineApp({ name: 'a', models: ['app/models/*.ts'], plugins: [] });\n",
  'package.json': '{ "type": "module" }\n',
  'package-lock.json': '{}\n',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "paths": { "@/*": ["./app/*"] } } }\n',
  'app/shared/base.ts': "import { db, type Int } from 'fw/orm';\nexport class Base {\n  @db('id,pk') id!: Int;\n}\n",
  'app/shared/middle.ts': "export { Base as Root } from './base.js';\n",
  'app/shared/index.ts':
    "export * from './middle.js';\nexport * from './states.js';\nexport { TABLE } from './names.js';\n",
  'app/shared/names.ts': "export const TABLE = 'cars';\n",
  'app/shared/states.ts':
    "export const STATES = ['on', 'off'] as const;\nexport type State = (typeof STATES)[number];\n",
  'app/models/car.ts': `import { belongsTo, type BelongsTo, db, type Int, table } from 'fw/orm';
import { Root, TABLE, type State } from '@/shared/index';
import { Owner } from './owner.js';
@table(TABLE)
export class Car extends Root {
  @db('state') state!: State;
  @db('owner_id') ownerId!: Int;
  @belongsTo(() => Owner) owner?: BelongsTo<Owner>;
}
`,
  'app/models/owner.ts': `import { db, hasMany, type HasMany, table } from 'fw/orm';
import { Root } from '../shared/index.js';
import { Car } from './car.js';
@table('owners')
export class Owner extends Root {
  @db('state') state!: Car['state'] | null;
  @hasMany(() => Car) cars?: HasMany<Car>;
}
`,
  'app/models/alone.ts':
    "import { db, type Int, table } from 'fw/orm';\n@table('alone')\nexport class Alone {\n  @db('id,pk') id!: Int;\n}\n",
};

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

const edit = (file: string, from: string, to: string) =>
  write(file, readFileSync(path.join(root, file), 'utf8').replace(from, to));

/** Everything in `generated/`, or the problems when there are some. */
async function outcome(folder: string, code: string | undefined): Promise<object> {
  const { ok, problems } = await runCodegen({ root: folder, code });
  if (!ok)
    return problems.map(({ file, line, message }) => [
      path.relative(folder, file),
      line,
      message.replaceAll(folder, ''),
    ]);
  const generated = path.join(folder, 'generated');
  return Object.fromEntries(
    readdirSync(generated).map((file) => [file, readFileSync(path.join(generated, file), 'utf8')]),
  );
}

/** What a run makes of the same sources that knows nothing of an earlier one. */
async function fromNothing(): Promise<object> {
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true, filter: (file) => !/(node_modules|generated)$/.test(file) });
  try {
    return await outcome(copy, undefined);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

type Edit = readonly [about: string, edit: () => void, changed: readonly string[]];

const EDITS: readonly Edit[] = [
  [
    'a base class two files away',
    () => edit('app/shared/base.ts', 'id!: Int;', "id!: Int;\n  @db('made_at') madeAt!: Date;"),
    ['car.ts', 'owner.ts'],
  ],
  ['a constant behind a barrel', () => edit('app/shared/names.ts', 'cars', 'vehicles'), ['car.ts']],
  [
    'the tuple that a union is made of',
    () => edit('app/shared/states.ts', "'on'", "'idle', 'on'"),
    ['car.ts', 'owner.ts'],
  ],
  [
    'a type that is asked of another model',
    () => edit('app/models/car.ts', 'state!: State', "state!: State | 'lost'"),
    ['car.ts', 'owner.ts'],
  ],
  [
    'where a barrel leads',
    () => {
      write(
        'app/shared/other.ts',
        "import { db, type Uuid } from 'fw/orm';\nexport class Base {\n  @db('id,pk') id!: Uuid;\n}\n",
      );
      edit('app/shared/middle.ts', './base.js', './other.js');
    },
    ['car.ts', 'owner.ts'],
  ],
  [
    'where a path alias leads',
    () => {
      cpSync(path.join(root, 'app/shared'), path.join(root, 'lib/shared'), { recursive: true });
      edit('lib/shared/names.ts', 'vehicles', 'wagons');
      edit('tsconfig.json', './app/*', './lib/*');
    },
    ['car.ts'],
  ],
  [
    'the name of a related model',
    () => {
      edit('app/models/owner.ts', 'class Owner', 'class Holder');
    },
    [],
  ],
  [
    'the relation to it',
    () => {
      write(
        'app/models/car.ts',
        readFileSync(path.join(root, 'app/models/car.ts'), 'utf8').replaceAll('Owner', 'Holder'),
      );
    },
    [],
  ],
  ['a file that is gone', () => rmSync(path.join(root, 'lib/shared/names.ts')), []],
  ['a file that is there again', () => write('lib/shared/names.ts', "export const TABLE = 'coaches';\n"), []],
  ['what an import finds before it', () => write('app/shared/other.d.ts', ''), []],
  [
    'declarations for every file',
    () => {
      write('app/shared/global.ts', "declare global { type Colour = 'red' | 'blue' }\nexport {};\n");
      edit('app/models/alone.ts', 'id!: Int;', "id!: Int;\n  @db('colour') colour!: Colour;");
      edit('app/models/car.ts', 'import', "import '../shared/global.js';\nimport");
    },
    ['alone.ts'],
  ],
  ['one of those declarations', () => edit('app/shared/global.ts', "'blue'", "'green'"), ['alone.ts']],
  ['the lock file', () => write('package-lock.json', '{ "packages": {} }\n'), []],
];

describe('what is kept of models between runs', () => {
  test('lays out only the modules of models that changed', async () => {
    await runCodegen({ root, code: 'one' });
    const cache = path.join(root, 'node_modules/.cache/fw/models.json');
    writeFileSync(cache, readFileSync(cache, 'utf8').replaceAll('as the ORM knows it', 'as it was kept'));
    edit('app/models/alone.ts', "'alone'", "'lonely'");
    await runCodegen({ root, code: 'one' });
    const has = (name: string) => readFileSync(path.join(root, 'generated', name), 'utf8').includes('as it was kept');
    expect(['alone.ts', 'car.ts', 'owner.ts'].map(has)).toEqual([false, true, true]);
    // The paths of a model are made of those that it leads to.
    edit('app/models/owner.ts', 'cars?', 'fleet?');
    await runCodegen({ root, code: 'one' });
    expect(['car.ts', 'owner.ts'].map(has)).toEqual([false, false]);
  });

  test('never differs from what a run without it makes, whatever was edited', async () => {
    await outcome(root, 'build 1');
    let before: Readonly<Record<string, unknown>> = {};
    for (const [about, change, changed] of EDITS) {
      before = Object.fromEntries(Object.entries(await outcome(root, 'build 1')));
      change();
      const after = await outcome(root, 'build 1');
      expect({ about, after }).toEqual({ about, after: await fromNothing() });
      const differing = Object.entries(after).filter(
        ([file, text]) => before[file] !== text && /^(car|owner|holder|alone)/.test(file),
      );
      if (changed.length > 0)
        expect({ about, files: differing.map(([file]) => file) }).toEqual({ about, files: changed });
    }
  });

  test('sees a change of an installed declaration, which no lock file tells of', async () => {
    write('node_modules/signals/package.json', '{ "name": "signals", "types": "index.d.ts" }\n');
    write('node_modules/signals/index.d.ts', "export type Signal = 'go' | 'stop';\n");
    edit('app/models/alone.ts', "from 'fw/orm';", "from 'fw/orm';\nimport type { Signal } from 'signals';");
    edit('app/models/alone.ts', 'id!: Int;', "id!: Int;\n  @db('signal') signal!: Signal;");
    expect(await runCodegen({ root, code: 'one' })).toMatchObject({ ok: true, skipped: false });
    expect(await runCodegen({ root, code: 'one' })).toMatchObject({ ok: true, skipped: true });
    edit('node_modules/signals/index.d.ts', "'stop'", "'wait' | 'stop'");
    expect(await runCodegen({ root, code: 'one' })).toMatchObject({ written: ['generated/alone.ts'] });
    expect(readFileSync(path.join(root, 'generated/alone.ts'), 'utf8')).toContain("values: ['go', 'wait', 'stop']");
  });

  test('sees such a change while one session is open', async () => {
    write('node_modules/signals/package.json', '{ "name": "signals", "types": "index.d.ts" }\n');
    write('node_modules/signals/index.d.ts', "export type Signal = 'go' | 'stop';\n");
    edit('app/models/alone.ts', "from 'fw/orm';", "from 'fw/orm';\nimport type { Signal } from 'signals';");
    edit('app/models/alone.ts', 'id!: Int;', "id!: Int;\n  @db('signal') signal!: Signal;");
    const config = path.join(root, 'app.config.ts');
    const session = new CodegenSession({ root, config, generators: [modelGenerator] });
    const shown = async () => JSON.stringify((await session.pass()).plan?.changes.map(({ text }) => text));
    expect(await shown()).toContain("values: ['go', 'stop']");
    edit('node_modules/signals/index.d.ts', "'stop'", "'wait' | 'stop'");
    expect(await shown()).toContain("values: ['go', 'wait', 'stop']");
  });

  test('forgets a model that was deleted', async () => {
    await outcome(root, 'build 1');
    rmSync(path.join(root, 'app/models/alone.ts'));
    expect(await outcome(root, 'build 1')).toEqual(await fromNothing());
  });

  test('is read again when the framework is another build, and ignored when it is damaged', async () => {
    await outcome(root, 'build 1');
    const kept = path.join(root, 'node_modules/.cache/fw/models.json');
    expect(existsSync(kept)).toBe(true);
    writeFileSync(kept, readFileSync(kept, 'utf8').replaceAll('"table":"alone"', '"table":"wrong"'));
    edit('app/shared/names.ts', 'cars', 'vehicles');
    expect(JSON.stringify(await outcome(root, 'build 1'))).toContain("table: 'wrong'");
    edit('app/shared/names.ts', 'vehicles', 'cars');
    expect(await outcome(root, 'build 2')).toEqual(await fromNothing());
    writeFileSync(kept, '{ "key": ');
    edit('app/shared/names.ts', 'cars', 'vehicles');
    expect(await outcome(root, 'build 2')).toEqual(await fromNothing());
  });
});
