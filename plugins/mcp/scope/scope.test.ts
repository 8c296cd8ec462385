import { describe, expect, test } from '@jest/globals';
import { CapFleet, CapRuntime, KNOWN_CATEGORIES, newScope, parseScope, unscopedScope } from './scope.js';

describe('Scope', () => {
  test('grants what it names, sorted, and nothing else', () => {
    const scope = newScope(CapRuntime, CapFleet);
    expect(scope).toMatchObject({ scoped: true, granted: ['fleet', 'runtime'] });
    expect(scope.grants('fleet')).toBe(true);
    expect(scope.grants('generation')).toBe(false);
  });

  test('is unscoped when it is left blank', () => {
    for (const scope of [unscopedScope(), parseScope(''), parseScope(' , ')]) {
      expect(scope).toMatchObject({ scoped: false, granted: KNOWN_CATEGORIES });
    }
  });

  test('reads categories in any case, with blanks', () => {
    expect(parseScope(' Fleet,, RUNTIME ').granted).toEqual(['fleet', 'runtime']);
  });

  test('refuses a category that does not exist and an empty list, and names the eight', () => {
    expect(() => parseScope('fleet,fleeet')).toThrow(
      /"fleeet" is not a category.*fleet, generation, introspection, knowledge, planning, provisioning, runtime, verification/,
    );
    expect(() => newScope()).toThrow(/names no category/);
  });
});
