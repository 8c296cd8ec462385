import fc from 'fast-check';
import { describe, expect, test } from '@jest/globals';
import { CapFleet, CapRuntime, KNOWN_CATEGORIES, newScope, parseScope, scopeOrAll, unscopedScope } from './scope.js';

describe('Scope', () => {
  test('grants what it names, sorted, and nothing else', () => {
    const scope = newScope(CapRuntime, CapFleet);
    expect(scope).toMatchObject({ scoped: true, granted: ['fleet', 'runtime'] });
    expect(scope.grants('fleet')).toBe(true);
    expect(scope.grants('generation')).toBe(false);
  });

  test('grants everything only when it is left out', () => {
    for (const scope of [unscopedScope(), scopeOrAll(undefined)]) {
      expect(scope).toMatchObject({ scoped: false, granted: KNOWN_CATEGORIES });
    }
    for (const scope of ['', [], {}, null, 'fleet', { scoped: false, granted: [], grants: () => true }])
      expect(() => scopeOrAll(scope as never)).toThrow(/was not made by newScope/);
    expect(scopeOrAll(newScope('fleet')).granted).toEqual(['fleet']);
  });

  test('reads no text as everything, however nothing is spelled', () => {
    const nothing = fc.constantFrom(
      '',
      ' ',
      ',',
      '\t',
      '\n',
      '\u00a0',
      '\u2003',
      '\u3000',
      '\ufeff',
      '\u200b',
      '\u2060',
      '\0',
      '""',
      '*',
      'all',
    );
    const noise = fc.array(nothing, { maxLength: 8 }).map((parts) => parts.join(''));
    const name = fc.constantFrom(...KNOWN_CATEGORIES);
    fc.assert(
      fc.property(noise, (text) => {
        expect(() => parseScope(text)).toThrow(/names no category|is not a category/);
      }),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), fc.constantFrom(',', ' , ', ',,'), (names, comma) => {
        const text = `${comma}${names.join(comma)}${comma}`;
        expect(parseScope(text)).toMatchObject({ scoped: true, granted: [...new Set(names)].sort() });
      }),
    );
  });

  test('reads categories in any case, with blanks', () => {
    expect(parseScope(' Fleet,, RUNTIME ').granted).toEqual(['fleet', 'runtime']);
  });

  test('refuses a category that does not exist and an empty list, and names the eight', () => {
    expect(() => parseScope('fleet,fleeet')).toThrow(
      /"fleeet" is not a category.*fleet, generation, introspection, knowledge, planning, provisioning, runtime, verification/,
    );
    expect(() => newScope()).toThrow(/names no category/);
    expect(() => parseScope('fleeet')).toThrow(/"fleeet" is not a category \(Did you mean "fleet"\?\)/);
    expect(() => parseScope('runtime,middleware')).toThrow(
      /wrong: "middleware" is a category of plugins, but none of tools\. Categories/,
    );
  });
});
