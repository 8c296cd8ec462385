import { describe, expect, test } from '@jest/globals';
import { Project } from 'ts-morph';
import { moduleResolverOf, readCompilerSettings } from '../program/index.js';
import { modelGenerator } from './index.js';
import { messageOf, modelContent } from './testing/model-content.js';

const POLYFILL = `
export declare namespace Temporal {
  class PlainDate { readonly [Symbol.toStringTag]: 'Temporal.PlainDate'; readonly day: number; }
}`;

function generate(fields: string, before = ''): string {
  const text = `${before}
import { db, table, type Int, type PlainDate } from 'fw/orm';
@table('trips')
export class Trip {
  @db('id,pk,autoincrement') id!: Int;
  ${fields}
}`;
  return modelContent(text, { '/app/polyfill.ts': POLYFILL });
}

describe('columns of Temporal', () => {
  test.each([
    ['PlainDate', "kind: 'plainDate', temporal: 'PlainDate'", "day: { type: 'string', format: 'date' }"],
    ['PlainTime', "kind: 'plainTime', temporal: 'PlainTime'", "format: 'time-local'"],
    ['PlainDateTime', "kind: 'date', temporal: 'PlainDateTime'", "format: 'date-time-local'"],
    ['Instant', "kind: 'date', temporal: 'Instant'", "day: { type: 'string', format: 'date-time' }"],
    ['Duration', "kind: 'interval', temporal: 'Duration'", "pattern: '^-?P(?=.)"],
  ])('Temporal.%s is one, of the kind that holds it', (name, definition, schema) => {
    const content = generate(`@db('day') day!: Temporal.${name};`);
    expect(content).toContain(definition);
    expect(content).toContain(schema);
    // A project that has no declarations of Temporal compiles what is generated for its other models.
    expect(content.replaceAll(/temporal: '\w+'/g, '')).not.toContain('Temporal');
  });

  test('one that may be null, one of a polyfill, and one that the tag says', () => {
    expect(generate("@db('day') day!: Temporal.Instant | null;")).toContain("temporal: 'Instant', nullable: true");
    const imported = generate("@db('day') day!: Temporal.PlainDate;", "import { Temporal } from '../polyfill.js';");
    expect(imported).toContain("temporal: 'PlainDate'");
    expect(generate("@db('day,type=Temporal.Duration') day!: unknown;")).toContain("temporal: 'Duration'");
    expect(generate("@db('day,format=unixms') day!: Temporal.Instant;")).toContain("format: 'unixms'");
  });

  test('a project whose library has no Temporal is told what to add', () => {
    const notesWith = (lib: readonly string[] | undefined, before = '') => {
      const notes: string[] = [];
      const project = new Project({ useInMemoryFileSystem: true, skipAddingFilesFromTsConfig: true });
      const config = JSON.stringify({ compilerOptions: { target: 'es2023', ...(lib && { lib }) } });
      project.getFileSystem().writeFileSync('/app/tsconfig.json', config);
      const models = ['/app/models/trip.ts'];
      const host = project.getModuleResolutionHost();
      moduleResolverOf(project).beginRun('/app/generated', readCompilerSettings('/app', host, models[0]));
      project.createSourceFile(
        models[0] as string,
        `${before}
import { db, table, type Int } from 'fw/orm';
@table('trips') export class Trip { @db('id,pk,autoincrement') id!: Int; @db('day') day!: Temporal.PlainDate; }`,
      );
      const note = (text: string) => notes.push(text);
      modelGenerator.generate({
        project,
        root: '/app',
        outDir: '/app/generated',
        models,
        routes: [],
        config: undefined,
        note,
      });
      return notes;
    };
    expect(notesWith(['es2023'])).toEqual([
      '/app/models/trip.ts:3 Trip.day is of Temporal.PlainDate, and what tsconfig.json says of "lib" and "target" has no Temporal, so that the compiler does not know it; add "esnext.temporal" to lib, or import Temporal from a polyfill',
    ]);
    expect(notesWith(['es2023', 'esnext.temporal'])).toEqual([]);
    expect(notesWith(['esnext'])).toEqual([]);
    expect(notesWith(undefined)).toHaveLength(1);
    expect(notesWith(['es2023'], "import 'temporal-polyfill/global';")).toEqual([]);
  });

  test.each([
    ["@db('at') at!: Temporal.ZonedDateTime;", /Temporal\.ZonedDateTime; .* declare Temporal\.Instant/],
    ["@db('at') at!: Temporal.PlainYearMonth;", /declare Temporal\.PlainDate, with the first day of the month/],
    ["@db('at') at!: Temporal.PlainMonthDay;", /a database has no days without a year/],
    [
      "@db('at') at!: Temporal.PlainDate[];",
      /an array of Temporal\.PlainDate, and a column holds one: declare PlainDate\[\]/,
    ],
    ["@db('at') at!: Temporal.Instant | Temporal.PlainDateTime;", /mixes what a database keeps in different columns/],
    ["@db('at') at!: Temporal.PlainDate | PlainDate;", /mixes what a database keeps in different columns/],
    ["@db('at,type=string') at!: Temporal.Instant;", /Temporal\.Instant is for a column of the kind date/],
    [
      "@db('at,type=Temporal.Instant') at!: Date;",
      /the tag of Trip\.at says Temporal\.Instant, but its type is another/,
    ],
    ["@db('at,type=Temporal.Now') at!: unknown;", /unknown type "Temporal\.Now"; known types: .*Temporal\.Instant/],
    ["@db('at,format=julian') at!: Temporal.Instant;", /has several values for one moment/],
  ])('refuses %s', (fields, sentence) => {
    expect(messageOf(() => generate(fields))).toMatch(sentence);
  });
});
