import { describe, expect, test } from '@jest/globals';
import { DIALECTS } from '../../contract/framework-dialects.js';
import { ModelInfo, type ColumnDefinition, type Dialect } from '../index.js';

class Item {}

const columnOf = (definition: Partial<ColumnDefinition>) => {
  const columns = [{ property: 'price', column: 'price', kind: 'any', ...definition } as ColumnDefinition];
  return new ModelInfo(Item, { name: 'Item', table: 'items', columns }).column('price');
};

const ORDER = ['postgres', 'mysql', 'sqlite', 'sqlserver'];

/** A default in the SQL of a dialect. */
function written(dialect: Dialect, definition: Partial<ColumnDefinition> & { readonly default: string }): string {
  return dialect.schema.defaultValue(columnOf(definition), definition.default);
}

const alike = (sql: string) => [sql, sql, sql, sql];

describe('a default', () => {
  test.each<[string, Partial<ColumnDefinition> & { default: string }, readonly string[]]>([
    ['a whole number', { kind: 'int', default: '-12' }, alike('-12')],
    ['a long number', { kind: 'bigint', default: '9007199254740993' }, alike('9007199254740993')],
    ['an exponent', { kind: 'bigint', default: '1e3' }, alike('1000')],
    ['a long decimal', { kind: 'decimal', default: '12345678901234567.8900' }, ['12345678901234567.8900', '12345678901234567.8900', "'12345678901234567.8900'", '12345678901234567.8900']], // prettier-ignore
    ['a decimal without a whole part', { kind: 'decimal', default: '+.5' }, ['0.5', '0.5', "'0.5'", '0.5']],
    ['a float', { kind: 'float', default: '1e-7' }, alike('1e-7')],
    ['true', { kind: 'boolean', default: 'TRUE' }, ['true', '1', '1', '1']],
    ['false', { kind: 'boolean', default: '0' }, ['false', '0', '0', '0']],
    ['a day', { kind: 'date', default: '2024-05-06' }, ["'2024-05-06T00:00:00.000Z'", "'2024-05-06'", "'2024-05-06T00:00:00.000Z'", "N'2024-05-06'"]], // prettier-ignore
    ['a time', { kind: 'date', default: '2024-05-06 09:08:09+02' }, ["'2024-05-06T07:08:09.000Z'", "'2024-05-06 07:08:09.000'", "'2024-05-06T07:08:09.000Z'", "N'2024-05-06T07:08:09.000'"]], // prettier-ignore
    ['now', { kind: 'date', default: 'now' }, ['now()', 'CURRENT_TIMESTAMP(3)', "(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))", 'SYSUTCDATETIME()']], // prettier-ignore
    ['JSON', { kind: 'json', default: '{"a":1}' }, [`'{"a":1}'`, `('{"a":1}')`, `'{"a":1}'`, `N'{"a":1}'`]],
    ['no elements', { kind: 'array', element: 'int', default: '{}' }, ["'{}'", "('[]')", "'[]'", "N'[]'"]],
    [
      'an element',
      { kind: 'array', element: 'string', default: '["a"]' },
      [`'{"a"}'`, `('["a"]')`, `'["a"]'`, `N'["a"]'`],
    ],
    ['a declared value', { kind: 'enum', values: ['a', "b'"], default: "b'" }, ["'b'''", "'b'''", "'b'''", "N'b'''"]],
    ['a long text', { kind: 'text', default: "it's" }, ["'it''s'", "('it''s')", "'it''s'", "N'it''s'"]],
    ['a text', { kind: 'string', default: 'it\\s' }, ["'it\\s'", "'it\\\\s'", "'it\\s'", "N'it\\s'"]],
  ])('of %s is written as it is meant', (_what, definition, sql) => {
    for (const dialect of DIALECTS) expect(written(dialect, definition)).toBe(sql[ORDER.indexOf(dialect.name)]);
  });

  test('of a UUID is one of the database, made anew for each row', () => {
    const made = [
      /^gen_random_uuid\(\)$/,
      /^\(uuid\(\)\)$/,
      /^\(lower\(hex\(randomblob\(4\)\)\) \|\| .*\)$/,
      /^NEWID\(\)$/,
    ];
    for (const dialect of DIALECTS)
      expect(written(dialect, { kind: 'uuid', default: 'gen_random_uuid' })).toMatch(
        made[ORDER.indexOf(dialect.name)] as RegExp,
      );
  });

  test.each<[Partial<ColumnDefinition> & { default: string }, string]>([
    [{ kind: 'int', default: 'abc' }, 'a whole number of at most 53 bits'],
    [{ kind: 'int', default: '' }, 'a whole number of at most 53 bits'],
    [{ kind: 'int', default: '1.5' }, 'a whole number of at most 53 bits'],
    [{ kind: 'int', default: '9007199254740993' }, 'a whole number of at most 53 bits'],
    [{ kind: 'bigint', default: '9223372036854775808' }, 'a whole number of at most 64 bits'],
    [{ kind: 'decimal', default: '1,5' }, 'a number'],
    [{ kind: 'float', default: 'NaN' }, 'a number'],
    [{ kind: 'boolean', default: 'yes' }, 'true or false'],
    [{ kind: 'date', default: '2024-02-31' }, 'now, or a time such as 2024-05-06 or 2024-05-06T07:08:09Z'],
    [{ kind: 'date', default: 'tomorrow' }, 'now, or a time such as 2024-05-06 or 2024-05-06T07:08:09Z'],
    [{ kind: 'uuid', default: 'abc' }, 'a UUID, or gen_random_uuid()'],
    [{ kind: 'json', default: '{a}' }, 'JSON'],
    [{ kind: 'array', element: 'int', default: '1' }, 'a list as JSON, such as []'],
    [{ kind: 'enum', values: ['a', 'b'], default: 'c' }, 'one of a, b'],
  ])('that is none of the kind is refused with the model: %j', (definition, expected) => {
    expect(() => columnOf(definition)).toThrow(
      expect.objectContaining({
        code: 'FW_ORM_TAG',
        message: `Item.price: the tag "default=${definition.default}" is not valid: the default of a column of the kind ${definition.kind} is ${expected}`,
      }),
    );
  });
});
