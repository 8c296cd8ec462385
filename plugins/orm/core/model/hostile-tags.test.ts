import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isFwError } from '../../../../kernel/index.js';
import { COLUMN_KINDS } from './kinds.js';
import { parseDbTag, parseJsonTag, parseValidateTag } from './tag-grammar.js';

const PLACE = { model: 'Model', field: 'field' };
const PIECES = ['pk', 'unique', 'default', 'sql', 'generated', 'size', 'enum', 'format', 'min', 'regex', 'omitempty', '=', ',', '\\', '\\,', '"', '""', '.', '-', ' ', '(', ')', "'", ';', '\n', '\0', '7', '1e9', '__proto__', 'constructor', 'é', '😀']; // prettier-ignore
const anything = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('a tag', () => {
  test.each([
    ['db', parseDbTag],
    ['json', parseJsonTag],
    ['validate', parseValidateTag],
  ] as const)('of @%s is read, or refused with its place', (_name, parse) => {
    fc.assert(
      fc.property(anything, (tag) => {
        try {
          parse(tag, PLACE);
        } catch (error) {
          if (!isFwError(error)) throw error;
          expect(error).toMatchObject({ code: 'FW_ORM_TAG', message: expect.stringContaining('field') });
        }
      }),
      { numRuns: 500 },
    );
  });

  test('of @db says what was written into it', () => {
    const escaped = (text: string) => text.replaceAll(',', '\\,').replace(/ $/, '\\ ');
    // A default begins behind its sign, and a backslash before a comma or at the end is an escape.
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter((value) => !/\\|^\s|\s$/.test(value.replace(/ $/, '')) && !/[^\S ]$/.test(value) && value.trim() !== '');
    const column = fc.stringMatching(/^[a-z_][a-z0-9_]{0,12}$/);
    const options = fc.record(
      {
        default: text.map((value) => [`default=${escaped(value)}`, { default: value }] as const),
        comment: text.map((value) => [`comment=${escaped(value)}`, { comment: value }] as const),
        size: fc.nat(100_000).map((value) => [`size=${value}`, { size: value }] as const),
        type: fc.constantFrom(...COLUMN_KINDS).map((kind) => [`type=${kind}`, { kind }] as const),
        unique: fc.constant(['unique', { unique: true }] as const),
        nullable: fc.constant(['nullable', { nullable: true }] as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(column, options, fc.constantFrom(',', ', '), (name, chosen, comma) => {
        const parts = Object.values(chosen);
        const tag = [name, ...parts.map(([written]) => written)].join(comma);
        expect(parseDbTag(tag, PLACE)).toMatchObject(Object.assign({ column: name }, ...parts.map(([, read]) => read)));
      }),
      { numRuns: 500 },
    );
  });
});
