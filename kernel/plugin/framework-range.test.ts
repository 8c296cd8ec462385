import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { definePlugin } from './define-plugin.js';
import { frameworkVersion } from './framework-version.js';
import { refuseOtherFramework } from './framework-range.js';

const refusal = (range: unknown, version?: string): unknown => {
  try {
    refuseOtherFramework('some', range, version);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('the range of releases that a plugin is made for', () => {
  test.each([
    ['^0.1.0', ['0.1.0', '0.1.9', '0.1.5-rc.1'], ['0.2.0', '0.2.0-rc.1', '0.0.9', '1.0.0']],
    ['^1.2.0', ['1.2.0', '1.9.3', '1.3.0-beta.2'], ['1.1.9', '2.0.0', '2.0.0-alpha.1', '0.1.0']],
    ['~1.2.3', ['1.2.3', '1.2.9'], ['1.3.0', '1.2.2']],
    ['>=0.1.0 <0.3.0 || ^1.0.0', ['0.2.7', '1.4.0'], ['0.3.0', '2.0.0']],
    ['0.1.x', ['0.1.0', '0.1.44'], ['0.2.0']],
  ])('%s covers %j, not %j', (range, covered, others) => {
    for (const version of covered) expect(refusal(range, version)).toBeUndefined();
    for (const version of others) expect(refusal(range, version)).toMatchObject({ code: 'FW_PLUGIN_FRAMEWORK' });
  });

  test('is refused with both versions and what to do', () => {
    expect(refusal('^7.0.0')).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `Plugin some is made for fw \\^7\\.0\\.0, and this is fw ${frameworkVersion()}\\. Install a release`,
        ),
      ),
    });
  });

  test('is a range that says something, or the manifest is wrong', () => {
    const anything = fc.oneof(
      fc.constantFrom(
        '*',
        '',
        ' ',
        'x',
        '<X',
        '>*',
        '<0.0.0-0',
        'latest',
        'next',
        'file:../fw',
        '>=',
        '^',
        '1.2.3.4',
        null,
        7,
        true,
        {},
        [],
      ),
      fc.string().filter((text) => !/\d/.test(text)),
      fc.jsonValue().filter((value) => typeof value !== 'string'),
    );
    fc.assert(
      fc.property(anything, (range) => {
        const made = () => definePlugin({ id: 'some', category: 'app', description: 'test', fw: range as string });
        expect(made).toThrow(/its fw is .*; expected a range of releases/s);
      }),
    );
  });

  test('counts before what the rest of the manifest says', () => {
    const later = { id: 'some', category: 'app', description: 'test', fw: '^7.0.0', novelty: true } as const;
    expect(() => definePlugin(later)).toThrow(/made for fw \^7/);
  });
});
