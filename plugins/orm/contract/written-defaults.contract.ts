import { expect, test } from '@jest/globals';
import { type ColumnDefinition, type Dialect, ModelInfo } from '../index.js';

class Item {}

type Defaulted = Partial<ColumnDefinition> & { readonly default: string };

/** A model's column that has a definition. */
export function columnOf(definition: Partial<ColumnDefinition>): ReturnType<ModelInfo['column']> {
  const columns = [{ property: 'price', column: 'price', kind: 'any', ...definition } as ColumnDefinition];
  return new ModelInfo(Item, { name: 'Item', table: 'items', columns }).column('price');
}

// What every database takes as it is.
const ALIKE: Readonly<Record<string, readonly [Defaulted, string]>> = {
  'a whole number': [{ kind: 'int', default: '-12' }, '-12'],
  'a long number': [{ kind: 'bigint', default: '9007199254740993' }, '9007199254740993'],
  'an exponent': [{ kind: 'bigint', default: '1e3' }, '1000'],
  'a float': [{ kind: 'float', default: '1e-7' }, '1e-7'],
};

const OWN = {
  'a long decimal': { kind: 'decimal', default: '12345678901234567.8900' },
  'a decimal without a whole part': { kind: 'decimal', default: '+.5' },
  true: { kind: 'boolean', default: 'TRUE' },
  false: { kind: 'boolean', default: '0' },
  'a day': { kind: 'date', default: '2024-05-06' },
  'a time': { kind: 'date', default: '2024-05-06 09:08:09+02' },
  now: { kind: 'date', default: 'now' },
  JSON: { kind: 'json', default: '{"a":1}' },
  'no elements': { kind: 'array', element: 'int', default: '{}' },
  'an element': { kind: 'array', element: 'string', default: '["a"]' },
  'a declared value': { kind: 'enum', values: ['a', "b'"], default: "b'" },
  'a long text': { kind: 'text', default: "it's" },
  'a text': { kind: 'string', default: 'it\\s' },
  'a new UUID for each row': { kind: 'uuid', default: 'gen_random_uuid' },
} as const satisfies Readonly<Record<string, Defaulted>>;

/** The defaults that databases write each in a way of its own, in the SQL of one. */
export type WrittenDefaults = Readonly<Record<keyof typeof OWN, string | RegExp>>;

/** Defaults of columns, as a dialect writes them. */
export function writtenDefaultsContract(dialect: Dialect, own: WrittenDefaults): void {
  const all: readonly (readonly [string, Defaulted, string | RegExp])[] = [
    ...Object.entries(ALIKE).map(([what, [definition, sql]]) => [what, definition, sql] as const),
    ...Object.entries(OWN).map(([what, definition]) => [what, definition, own[what as keyof typeof OWN]] as const),
  ];
  test.each(all)('a default of %s is written as it is meant', (_what, definition, sql) => {
    const written = dialect.schema.defaultValue(columnOf(definition), definition.default);
    if (sql instanceof RegExp) expect(written).toMatch(sql);
    else expect(written).toBe(sql);
  });
}
