import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Tag } from '../contract/models.js';
import { model, open, withPlugins, type PositionalRow, type SqlConnection } from '../index.js';
import { RecordingHandle } from '../contract/recording-handle.js';
import { arrayText, readArray } from './postgres-arrays.js';
import { postgres } from './postgres-dialect.js';

describe('values as an array of PostgreSQL', () => {
  test.each<[string, readonly unknown[], string]>([
    ['numbers', [1, -2.5, 10n, null], '{1,-2.5,10,NULL}'],
    ['numbers that are none', [Number.NaN, Infinity], '{NaN,Infinity}'],
    ['booleans', [true, false, null], '{true,false,NULL}'],
    ['texts, quoted so that none is a null', ['a', '', 'NULL', null], '{"a","","NULL",NULL}'],
    ['texts with signs of the array itself', ['a,b', '{}', '"', '\\'], '{"a,b","{}","\\"","\\\\"}'],
    ['bytes', [Uint8Array.of(0, 255), null], '{"\\\\x00ff",NULL}'],
    ['nothing', [], '{}'],
  ])('are written: %s', (_what, values, text) => {
    expect(arrayText(values, undefined)).toBe(text);
  });
});

describe('an array of PostgreSQL', () => {
  test.each<[string, readonly unknown[]]>([
    ['{}', []],
    ['{1,NULL,-2}', ['1', null, '-2']],
    ['{"a,b","{}","NULL","","\\"","\\\\"}', ['a,b', '{}', 'NULL', '', '"', '\\']],
    [
      '{{1,2},{3,NULL}}',
      [
        ['1', '2'],
        ['3', null],
      ],
    ],
    ['[0:1]={a,b}', ['a', 'b']],
    ['{"2024-05-06 07:08:09+00",plain text}', ['2024-05-06 07:08:09+00', 'plain text']],
  ])('is read: %s', (text, list) => {
    expect(readArray(text)).toEqual(list);
  });

  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.string({ unit: 'binary' }))), (list) => {
        expect(readArray(arrayText(list, undefined))).toEqual(list);
      }),
    );
  });

  test('has its elements read, but for null', () => {
    expect(readArray('{1,NULL,"3"}', Number)).toEqual([1, null, 3]);
  });
});

/** A handle whose catalog knows the columns of `tags`. */
class Catalog extends RecordingHandle {
  constructor(private readonly types: readonly (readonly [string, string])[]) {
    super();
  }

  override query(...call: Parameters<SqlConnection['query']>): readonly PositionalRow[] {
    const [sql, parameters, options] = call;
    super.query(sql, parameters, options);
    return sql.includes('pg_attribute') ? this.types : [];
  }
}

const tags = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `t${at}` }));
const inserts = ({ sql }: RecordingHandle) => sql.filter((text) => text.startsWith('INSERT'));
const TEXT = [['label', 'character varying']] as const;

describe('a batch on PostgreSQL', () => {
  test('of several statements sends one array per column, and asks for the types once', async () => {
    const handle = new Catalog(TEXT);
    await model(open(handle, postgres), Tag).createBatch(tags(2001));
    const sql = 'INSERT INTO "tags" ("label") SELECT * FROM unnest($1::character varying[]) RETURNING "id"';
    expect(inserts(handle)).toEqual([sql, sql, sql]);
    expect(handle.sql.filter((text) => text.includes('pg_attribute'))).toHaveLength(1);
    expect(handle.parameters.at(-1)).toEqual(['{"t2000"}']);
  });

  test.each<[string, Catalog, number, Parameters<typeof open>[2][]]>([
    ['of one statement', new Catalog(TEXT), 999, []],
    ['with a column whose type has no array', new Catalog([]), 1000, []],
    [
      'under a plugin that sees plans',
      new Catalog(TEXT),
      1000,
      [withPlugins({ name: () => 'p', beforePlan: (plan) => plan })],
    ],
  ])('%s sends its values one by one', async (_what, handle, count, options) => {
    await model(open(handle, postgres, ...options), Tag).createBatch(tags(count));
    expect(inserts(handle)).toEqual([expect.stringContaining(' VALUES ($1), ($2)')]);
  });
});
