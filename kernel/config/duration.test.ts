import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { definePlugin } from '../plugin/index.js';
import { type Duration, DurationSchema, milliseconds } from './duration.js';
import { withDefault } from './options.js';
import { resolveOptions } from './resolve-options.js';

describe('milliseconds', () => {
  test.each<[Duration, number]>([
    [250, 250],
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('reads %p as %d', (duration, expected) => {
    expect(milliseconds(duration)).toBe(expected);
  });

  test.each(['5 minutes', '-1s', '', 'soon', -5, Number.NaN])('refuses %p and says what is expected', (bad) => {
    expect(() => milliseconds(bad as Duration)).toThrow(/is not a duration.*500ms, 10s, 1m, 2h, 7d/);
  });
});

describe('an option that is a duration', () => {
  const options = Type.Object({
    leeway: withDefault(DurationSchema({ description: 'How long it waits', least: '1ms', most: '10s' }), '5s'),
    hosts: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z]+$', description: 'Names of hosts' }))),
  });
  const { manifest } = definePlugin({ id: 'waiting', category: 'app', description: 'Waits.', options });
  const resolved = (given: object) => resolveOptions(manifest, given as Readonly<Record<string, unknown>>);

  test.each([10_000, '10s', '0.1m', 1, '1ms', '2.5s'])('takes %p within its range', (leeway) => {
    expect(resolved({ leeway })).toMatchObject({ leeway });
  });

  test.each([
    ['1h', 'leeway must be at least 1ms and at most 10s (How long it waits)'],
    ['10.5s', 'leeway must be at least 1ms and at most 10s (How long it waits)'],
    [10_001, 'leeway must be at least 1ms and at most 10s (How long it waits)'],
    [0, 'leeway must be at least 1ms and at most 10s (How long it waits)'],
    ['5 apples', / leeway must be a number, or must match pattern ".*" \(How long it waits\)$/],
    [true, 'leeway must be a number, or must be a string (How long it waits)'],
  ])('refuses %p with what it is for', (leeway, sentence) => {
    expect(() => resolved({ leeway })).toThrow(sentence);
  });

  test('is not the only one that is explained where a pattern is not', () => {
    expect(() => resolved({ hosts: ['ada', '!'] })).toThrow('hosts.1 must match pattern "^[a-z]+$" (Names of hosts)');
  });
});
