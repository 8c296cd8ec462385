import { readdir, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { applyToProject, generate } from '../../../codegen/schematics/index.js';
import { ACTIONS } from '../../../codegen/schematics/engine/actions.js';
import { namesOf } from '../../../codegen/schematics/engine/names.js';
import { RESERVED_WORDS } from '../../../codegen/text/index.js';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { runProcess } from '../../process/index.js';

// What `fw generate resource` writes compiles whatever models call their parts, and whichever routes are asked for.
const ROOT = path.resolve(import.meta.dirname, '../../..');
// All of them with FW_TEST_EXHAUSTIVE=1, which takes minutes; else those that are used most, and some.
const EXHAUSTIVE = process.env['FW_TEST_EXHAUSTIVE'] === '1';
const USUAL = new Set(['app', 'body', 'class', 'ctx', 'db', 'id', 'model', 'row', 'unique']);
const STRIDE = 20;
const TSC = path.join(ROOT, 'node_modules/typescript-native/bin/tsc');

/** Keys of every type that a resource has one of. */
const KEYS = [
  ["@db('key_of,pk,autoincrement')", 'Int'],
  ["@db('key_of,pk')", 'Uuid'],
  ["@db('key_of,pk,autoincrement')", 'bigint'],
] as const;

let project: ScratchProject;
beforeEach(async () => {
  project = await scratchProject('api');
  const modules = path.join(project.root, 'node_modules');
  await mkdir(modules);
  await mkdir(path.join(project.root, 'app/models'), { recursive: true });
  await symlink(ROOT, path.join(modules, 'fw'));
  for (const each of ['@jest', '@types'])
    await symlink(path.join(ROOT, 'node_modules', each), path.join(modules, each));
});
afterEach(() => project.remove());

const write = (file: string, text: string) => writeFile(path.join(project.root, file), text);

const model = (name: string, members: readonly string[], imports = '') =>
  write(
    `app/models/${namesOf(name).kebab}.ts`,
    `import { ${ormImports(members)} } from 'fw/orm';
${imports}
@table('t_${name.toLowerCase()}')
export class ${name} {
${members.map((member) => `  ${member}\n`).join('')}}
`,
  );

const ormImports = (members: readonly string[]): string =>
  [
    'belongsTo',
    'type BelongsTo',
    'db',
    'type Decimal',
    'type Float',
    'type Int',
    'type Json',
    'json',
    'table',
    'type Text',
    'type Uuid',
  ]
    .filter((each) => each === 'table' || new RegExp(`[@ ]${each.replace('type ', '')}\\b`).test(members.join('\n')))
    .join(', ');

/** Whether the generator takes it as the name of a model. */
function isTaken(name: string): boolean {
  try {
    namesOf(name);
    return !/^(Owner|Samples?)$/.test(name);
  } catch {
    return false;
  }
}

const resource = (names: readonly string[], flags: Readonly<Record<string, string>> = {}) =>
  applyToProject(project.root, () => undefined, async (context) => {
    for (const name of names) await generate({ kind: 'resource', name, fields: [], flags }, context);
  }); // prettier-ignore

/** What the compiler finds; nothing that is written may go unused either. */
async function mistakes(): Promise<string> {
  const strict = ['--noUnusedLocals', '--noUnusedParameters', '--customConditions', 'fw-source'];
  const { stdout } = await runProcess({
    command: process.execPath,
    args: [TSC, '-p', '.', ...strict],
    cwd: project.root,
    timeoutMs: 200_000,
    maxOutputBytes: 1_000_000,
  });
  // The framework's own sources have options of their own.
  return stdout.split('\n').filter((line) => /^(app|tests|generated)\//.test(line)).join('\n'); // prettier-ignore
}

/** Every word of what is generated, its texts and comments apart, and those of the language. */
async function wordsOfTemplates(): Promise<readonly string[]> {
  await resource(['Sample']);
  const texts = await Promise.all(
    ['app/routes/samples.ts', 'tests/samples.test.ts'].map((file) => readFile(path.join(project.root, file), 'utf8')),
  );
  const code = texts.map((text) => text.replaceAll(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, ''));
  const words = code.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []);
  // What every object has by that name is in the way of the type of a new row, with or without a resource.
  return [...new Set([...words, ...RESERVED_WORDS])].filter((word) => !(word in {}));
}

const some = (words: readonly string[]): readonly string[] =>
  EXHAUSTIVE ? words : words.filter((word, at) => USUAL.has(word) || at % STRIDE === 0);

const OTHERS = [
  "@db('name,unique') name!: string;",
  "@db('secret_of') @json('-') secretOf!: string;",
  "@db('at') at!: Date;",
  "@db('big,unique') big!: bigint;",
  "@db('note') note: string | null = null;",
  "@db('owner_id') ownerId!: Int;",
  "@belongsTo(() => Owner) owner?: BelongsTo<Owner>;",
]; // prettier-ignore
const OWNER = "import { Owner } from './owner.js';";

/** Types of columns, as models of other libraries have them too. */
const TYPES = [
  'string', 'Text', 'Int', 'Float', 'number', 'Decimal', 'bigint', 'boolean', 'Date', 'Uuid', 'string[]',
  'Json<unknown>', 'Json<{ a: number }>', 'Json<string>', 'Json<string[]>',
  "'a' | 'it\\'s'", '0 | 5 | 6', '-1 | 0.5', '1n | 2n', 'Color', 'Level', 'Bits', 'Level.Mid', 'Color | Extra', "'a' | (string & {})",
  "string & { readonly brand: 'mail' }", "Int & { readonly brand: 'count' }", "Uuid & { readonly brand: 'token' }", '`sku-${string}`',
  'Lowercase<string>', '(typeof STATES)[number]', "Exclude<State, 'old'>", "Box['kept']", 'Brand<string>[]',
]; // prettier-ignore
const SHARED = `export enum Color { Red = 'red', Blue = 'it\\'s blue' }
export enum Extra { Green = 'green' }
export enum Level { Low, Mid = 5, High }
export enum Bits { A = 1, B = 2, C = 4 }
export const STATES = ['new', 'old'] as const;
export type State = (typeof STATES)[number];
export type Brand<Base> = Base & { readonly brand: unique symbol };
export interface Box { kept: Brand<string> }
`;
const SHARED_NAMES = ['Color', 'Extra', 'Level', 'Bits', 'STATES', 'State', 'Brand', 'Box'];

const sharedImports = (text: string): string => {
  const used = SHARED_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return used.length === 0 ? '' : `import type { ${used.join(', ')} } from '../shared.js';`;
};

beforeEach(async () => {
  await model('Owner', ["@db('id,pk,autoincrement') id!: Int;", "@db('name') name!: string;"]);
  await model('Sample', ["@db('id,pk,autoincrement') id!: Int;", ...OTHERS], OWNER);
});

describe('fw generate resource', () => {
  test('takes any name for a key and for a relation', async () => {
    const all = await wordsOfTemplates();
    expect(all.length).toBeGreaterThan(80);
    const words = some(all);
    const names: string[] = [];
    for (const [at, word] of words.entries()) {
      const [column, type] = KEYS[at % KEYS.length] ?? KEYS[0];
      const relation = words[(at + 1) % words.length] ?? '';
      const others = OTHERS.filter(
        (other) => !/owner/i.test(other) && !other.includes(` ${word}`) && !other.includes(` ${relation}`),
      );
      const leading = [
        "@db('their_id') theirId!: Int;",
        `@belongsTo(() => Owner, { fk: 'their_id' }) ${relation}?: BelongsTo<Owner>;`,
      ];
      await model(`Keyed${at}`, [`${column} ${word}!: ${type};`, ...others, ...leading], OWNER);
      names.push(`Keyed${at}`);
    }
    await resource(names);
    expect(await mistakes()).toBe('');
  }, 300_000);

  test('takes any name for a model, and for one that others lead to', async () => {
    const words = some(await wordsOfTemplates());
    const names = new Set(words.map((word) => word.replace(/^_*./, (start) => start.slice(-1).toUpperCase())));
    const resources: string[] = [];
    for (const [at, name] of [...names].filter(isTaken).entries()) {
      await model(name, ["@db('id,pk,autoincrement') id!: Int;", ...OTHERS], OWNER);
      const relation = ["@db('x_id') xId!: Int;", `@belongsTo(() => ${name}, { fk: 'x_id' }) x?: BelongsTo<${name}>;`];
      const imports = `import { ${name} } from './${namesOf(name).kebab}.js';`;
      await model(`Leading${at}`, ["@db('id,pk,autoincrement') id!: Int;", ...relation], imports);
      resources.push(name, `Leading${at}`);
    }
    await resource(resources);
    expect(await mistakes()).toBe('');
  }, 300_000);

  test('takes every type that a column can have, required or not, also as a key', async () => {
    await write('app/shared.ts', SHARED);
    const forms = [
      (type: string) => `!: ${type}`,
      (type: string) => `?: ${type}`,
      (type: string) => `?: ${type} | null`,
    ];
    const columns = TYPES.flatMap((type) => forms.map((form) => form(type)));
    const chunks = Array.from({ length: 6 }, (_, at) => columns.filter((_column, index) => index % 6 === at));
    const keys = [
      'Int',
      'Uuid',
      'bigint',
      "string & { readonly brand: 'key' }",
      "Int & { readonly brand: 'key' }",
      'Lowercase<string>',
    ];
    const names: string[] = [];
    for (const [at, chunk] of chunks.entries()) {
      const members = chunk.map((column, index) => `@db('c${index}') c${index}${column};`);
      const key = keys[at % keys.length] ?? '';
      const all = [`@db('key_of,pk') keyOf!: ${key};`, ...members];
      await model(`Typed${at}`, all, sharedImports(all.join('\n')));
      names.push(`Typed${at}`);
    }
    await resource(names);
    expect(await mistakes()).toBe('');
  }, 300_000);

  test('takes columns of Temporal, also where a row needs another one that has some', async () => {
    const config = JSON.parse(await readFile(path.join(project.root, 'tsconfig.json'), 'utf8')) as {
      compilerOptions: { lib: string[] };
    };
    config.compilerOptions.lib = ['ES2023', 'esnext.temporal'];
    await write('tsconfig.json', JSON.stringify(config));
    const classes = ['PlainDate', 'PlainTime', 'PlainDateTime', 'Instant', 'Duration'];
    const members = classes.flatMap((each, at) => [
      `@db('a${at}') a${at}!: Temporal.${each};`,
      `@db('b${at}') b${at}?: Temporal.${each} | null;`,
      `@db('c${at},unique') c${at}!: Temporal.${each};`,
    ]);
    const id = "@db('id,pk,autoincrement') id!: Int;";
    await model('Trip', [id, ...members, "@db('made_at,filled=create') madeAt!: Temporal.PlainDateTime;"]);
    const leads = ["@db('trip_id') tripId!: Int;", '@belongsTo(() => Trip) trip?: BelongsTo<Trip>;'];
    await model('Stop', [id, "@db('at,unique') at!: Temporal.Instant;", ...leads], "import { Trip } from './trip.js';");
    await resource(['Trip', 'Stop']);
    expect(await mistakes()).toBe('');
  }, 300_000);

  test('leaves nothing open or unused, whichever of its routes are asked for', async () => {
    const subsets = Array.from({ length: 2 ** ACTIONS.length - 1 }, (_, at) =>
      ACTIONS.filter((_action, bit) => ((at + 1) >> bit) & 1),
    );
    const plain = ["@db('id,pk,autoincrement') id!: Int;", "@db('name') name!: string;"];
    const given = ["@db('code,pk') code!: Uuid;", ...OTHERS];
    for (const [at, actions] of subsets.entries()) {
      for (const members of EXHAUSTIVE ? [plain, given] : [at % 2 === 0 ? plain : given]) {
        const name = `${members === plain ? 'Plain' : 'Given'}${at}`;
        await model(name, members, members === given ? OWNER : '');
        await resource([name], { methods: actions.join(',') });
      }
    }
    const routes = await readdir(path.join(project.root, 'app/routes'));
    expect(routes.filter((file) => /^(plain|given)/.test(file))).toHaveLength(subsets.length * (EXHAUSTIVE ? 2 : 1));
    expect(await mistakes()).toBe('');
  }, 300_000);
});
