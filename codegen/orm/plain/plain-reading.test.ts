import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Project } from 'ts-morph';
import { corpusProjects, writeProject } from '../../corpus/corpus-project.js';
import { type Generator, runCodegen } from '../../engine/index.js';
import { type ModuleResolver, moduleResolverOf, typeProgramOf } from '../../program/index.js';
import { type FileModels, ModelsReader, PlainModelsReader } from '../read-models.js';

/** What both readers say of files; undefined where the text alone does not tell. */
function bothReadings(project: Project, files: readonly string[]) {
  const modules: ModuleResolver = moduleResolverOf(project);
  const plain = new PlainModelsReader(modules);
  const types = typeProgramOf(project).types({ files });
  const checked = new ModelsReader(types, modules);
  return files.map((file) => {
    const source = types.program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} is not there`);
    return { file, plain: plain.read(source), checked: checked.read(source) };
  });
}

/** Which files have a say is each reader's own business, as long as none is left out that a model is made from. */
const withoutFiles = ({ files, ...reading }: FileModels) => ({ ...reading, hasFiles: files.length > 0 });

function expectSame(readings: ReturnType<typeof bothReadings>): void {
  for (const { file, plain, checked } of readings) {
    if (plain === undefined) continue;
    expect({ file, ...withoutFiles(plain) }).toEqual({ file, ...withoutFiles(checked) });
    expect(checked.files).toEqual(expect.arrayContaining([...plain.files]));
  }
}

const SHARED = `import { db, type Decimal, type Int, type Json } from 'fw/orm';
export type Status = 'open' | 'closed';
export type Price = Decimal;
export type MaybePrice = Decimal | null;
export type Wide<T> = T | null;
export type Loop = Loop[];
export interface Meta { a: number }
export type MetaOrNull = Meta | null;
export enum Level { Low = 1, High = 5, Middle = 3 }
export enum Rights { None = 0, Read = 1, Write = 2, Run = 8 }
export enum Counted { First, Second, Third }
export enum Named { B = 'b', A = 'a' }
export enum Made { A = 1 << 1, B = 1 }
export enum Only { One = 1 }
export const list = ['x', 'y'] as const;
export abstract class Stamped {
  @db('stamped_at') stampedAt!: Date | null;
  @db('stamp_kind') kind!: Named;
}
export class Numbered extends Stamped { @db('id,pk') id!: Int; @db('data') data!: Json<Meta>; }
export class Generic<T> { @db('inner') inner!: T; }
export function mixin<T extends abstract new (...args: never[]) => object>(base: T) {
  abstract class Inner extends base { @db('mixed') mixed!: Int; }
  return Inner;
}
`;
const BARREL = "export * from './shared.js';\nexport { Stamped as Base } from './shared.js';\n";

const HEAD = `import { belongsTo, type BelongsTo, db, type Decimal, type Float as Real, hasMany, type HasMany, type Int, type Json, table, type Text, type Uuid } from 'fw/orm';
import type * as orm from 'fw/orm';
import { type Counted, Generic, type Level, list, type Loop, type Made, type MaybePrice, type Meta, type MetaOrNull, mixin, type Named, Numbered, type Only, type Price, type Rights, Stamped, type Status, type Wide } from './shared.js';
import { Base, type Status as State } from './barrel.js';
import { M0 as Other } from './m0.js';
type Local = 'z' | Status | 'a';
enum Own { X = 'x', Y = 'y' }
interface Shape { s: string }
type Bytes = Uint8Array;
`;

const words = (text: string): readonly string[] => text.split(' ');
const USUAL = words(
  'string number boolean bigint null Date Temporal.PlainDate Temporal.Instant Uint8Array Int Decimal Real Text Uuid orm.Int Own Local Status State Price MaybePrice Level Rights Counted Named "a" "b" 1 -2 2.5',
);
const UNUSUAL = [
  ...words(
    'unknown any never undefined object Temporal.ZonedDateTime Temporal.Now Temporal Buffer orm.Uuid Bytes Shape Meta MetaOrNull Made Only Loop Missing',
  ),
  ...words('Wide<Int> Level.Low Array<string> ReadonlyArray<Int> Record<string,number> true false 0 10 1n `c`'),
  '(typeof list)[number]',
];

const typeText: fc.Arbitrary<string> = fc.letrec<{ type: string; named: string }>((tie) => ({
  named: fc.oneof(
    { arbitrary: fc.constantFrom(...USUAL), weight: 9 },
    { arbitrary: fc.constantFrom(...UNUSUAL), weight: 1 },
  ),
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('named'),
    fc.array(tie('type'), { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' | ')),
    tie('type').map((each) => `(${each})[]`),
    tie('type').map((each) => `readonly (${each})[]`),
    tie('type').map((each) => `(${each})`),
    tie('type').map((each) => `Json<${each}>`),
    fc.constantFrom(
      'Json<{ a: 1 | null }>',
      'string & { brand?: 1 }',
      'Json<Record<string, unknown>>',
      'orm.Json<Meta>',
    ),
  ),
})).type;

const BASES = [
  '',
  'extends Stamped ',
  'extends Base ',
  'extends Numbered ',
  'extends Generic<Int> ',
  'extends mixin(Stamped) ',
];

const member = fc.record({
  type: typeText,
  mark: fc.constantFrom('', '?', '!'),
  relation: fc.constantFrom(
    '',
    '',
    '',
    '@belongsTo(() => Other) m?: BelongsTo<Other>;',
    '@hasMany(() => Other, { fk: "m" }) m?: HasMany<Other>;',
    '@belongsTo(() => Other) m?: BelongsTo<Missing>;',
  ),
});

const model = fc.record({
  base: fc.constantFrom(...BASES),
  members: fc.array(member, { minLength: 1, maxLength: 2 }),
  hasConstructor: fc.constantFrom(false, false, false, true),
  isNarrowing: fc.constantFrom(false, false, false, false, true),
});

const classText = (index: number, given: typeof model extends fc.Arbitrary<infer Model> ? Model : never): string => {
  const lines = given.members.map(({ type, mark, relation }, at) =>
    relation === '' ? `  @db('c${at}') c${at}${mark}: ${type};` : `  ${relation.replace('m?', `m${at}?`)}`,
  );
  if (given.hasConstructor) lines.push('  constructor(readonly made: number) {}');
  if (given.isNarrowing) lines.push('  declare stampedAt: Date;', "  declare c0: 'narrow';");
  return `${HEAD}/** Model ${index}. Of many. */\n@table('t${index}')\nexport class M${index} ${given.base}{\n${lines.join('\n')}\n}\n`;
};

describe('reading models by their text alone', () => {
  test('says what the type checker says, or nothing', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(model, { minLength: 40, maxLength: 60 }), (models) => {
        const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
        project.createSourceFile('/app/shared.ts', SHARED);
        project.createSourceFile('/app/barrel.ts', BARREL);
        const files = models.map((each, index) =>
          project.createSourceFile(`/app/m${index}.ts`, classText(index, each)).getFilePath(),
        );
        const readings = bothReadings(project, files);
        expectSame(readings);
        read += readings.filter(({ plain }) => plain).length;
      }),
      { numRuns: 12, endOnFailure: true },
    );
    // Else the comparison would say nothing.
    expect(read).toBeGreaterThan(50);
  });

  test('is what the usual models are read by', () => {
    const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
    project.createSourceFile('/app/shared.ts', SHARED);
    project.createSourceFile('/app/barrel.ts', BARREL);
    const file = project.createSourceFile(
      '/app/m0.ts',
      `${HEAD}@table()
export class M0 extends Base {
  @db('id,pk,autoincrement') id!: Int;
  @db('price') price!: Price | null;
  @db('state') state!: State | 'new';
  @db('level') level!: Level;
  @db('rights') rights!: Rights;
  @db('tags') tags!: readonly string[];
  @db('meta') meta!: Json<Meta> | null;
  @belongsTo(() => Other) other?: BelongsTo<Other>;
  get shown() { return list.length; }
}
`,
    );
    const [reading] = bothReadings(project, [file.getFilePath()]);
    expect(reading?.plain?.files).toEqual(['/app/barrel.ts', '/app/m0.ts', '/app/shared.ts']);
    expect(reading?.plain?.models[0]?.columns.map(({ kind, nullable, values }) => [kind, nullable, values])).toEqual([
      ['date', true, undefined],
      ['enum', false, ['b', 'a']],
      ['int', false, undefined],
      ['decimal', true, undefined],
      ['enum', false, ['open', 'closed', 'new']],
      ['enum', false, [1, 5, 3]],
      ['int', false, undefined],
      ['array', false, undefined],
      ['json', true, undefined],
    ]);
  });

  test.each([
    ['a global declaration beside it', '', 'declare global { interface Buffer { x: 1 } }\nexport {};', './other.js'],
    ['a script that it imports', '', 'type Money = string;', './other.js'],
  ])('leaves a file to the checker that reaches %s', (_what, _text, other, specifier) => {
    const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
    project.createSourceFile('/app/other.ts', other);
    const text = (imports: string) =>
      `${imports}import { db, type Int, table } from 'fw/orm';\n@table()\nexport class Car { @db('id,pk') id!: Int; }\n`;
    const alone = project.createSourceFile('/app/alone.ts', text('')).getFilePath();
    const car = project.createSourceFile('/app/car.ts', text(`import '${specifier}';\n`)).getFilePath();
    const [first, second] = bothReadings(project, [alone, car]);
    expect([first?.plain === undefined, second?.plain === undefined]).toEqual([false, true]);
  });
});

describe('reading the corpus by its text alone', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-plain-')));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(corpusProjects())('$name gives the same', async (project) => {
    const root = path.join(folder, project.name);
    writeProject(project, root);
    const compare: Generator = {
      name: 'compare',
      generate: ({ project: sources, models }) => {
        expectSame(bothReadings(sources, models));
        return [];
      },
    };
    await runCodegen({ root, generators: [compare], check: true, code: undefined });
  });
});
