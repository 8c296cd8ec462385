import { describe, expect, test } from '@jest/globals';
import { columnOf } from '../../contract/written-defaults.contract.js';
import type { ColumnDefinition } from '../index.js';

describe('a default', () => {
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
    [{ kind: 'int', default: 7 as never }, 'a whole number of at most 53 bits, written as text'],
  ])('that is none of the kind is refused with the model: %j', (definition, expected) => {
    expect(() => columnOf(definition)).toThrow(
      expect.objectContaining({
        code: 'FW_ORM_TAG',
        message: `Item.price: the tag "default=${definition.default}" is not valid: the default of a column of the kind ${definition.kind} is ${expected}`,
      }),
    );
  });
});
