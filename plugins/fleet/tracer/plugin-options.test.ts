import { expect, test } from '@jest/globals';
import { capturesPayloads, type TracerPluginOptions } from './plugin-options.js';

test.each([
  ['dev', undefined, '/openapi.json', true],
  ['test', undefined, '/openapi.json', true],
  ['prod', undefined, '/openapi.json', false],
  ['prod', true, '/openapi.json', true],
  ['dev', false, '/openapi.json', false],
  ['dev', true, '', false],
])('in profile %s, with capturePayloads %s and a document at %j, bodies go along: %s', (profile, capturePayloads, openAPIPath, expected) => {
  expect(capturesPayloads({ capturePayloads, openAPIPath } as TracerPluginOptions, profile)).toBe(expected);
}); // prettier-ignore
