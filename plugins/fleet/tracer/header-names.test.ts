import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseBaggage } from './baggage.js';
import { HeaderNames } from './header-names.js';

describe('what a span keeps of the headers of its request', () => {
  const name = fc.oneof(fc.stringMatching(/^[a-z][a-z-]{0,12}$/), fc.constantFrom('host', 'x-long'.repeat(100)));

  test('is the names, sorted, few and short, whatever comes', () => {
    const names = new HeaderNames();
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 200 }), (given) => {
        const list = names.of(Object.fromEntries(given.map((each) => [each, 'value '.repeat(1000)])));
        const expected = given.map((each) => each.slice(0, 128)).sort();
        expect(list).toEqual(expected.slice(0, 64));
      }),
    );
  });

  test('is one list for all requests with the same names', () => {
    const names = new HeaderNames();
    const first = names.of({ host: 'a', accept: 'b' });
    names.of({ host: 'a' });
    expect(names.of({ host: 'c', accept: 'd' })).toBe(first);
    expect(names.of({ host: 'c', accept: 'd' })).toBe(first);
    expect(names.of({ accept: 'd', host: 'c' })).toEqual(first);
  });

  test('names too many to be remembered are told all the same', () => {
    const names = new HeaderNames();
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x-${at}-${'y'.repeat(20)}`, '']));
    expect(names.of(many)).toHaveLength(64);
    expect(names.of(many)).toEqual(names.of(many));
  });

  test('baggage that is too long is cut at an entry', () => {
    const losses = { baggageDropped: 0 };
    const header = `a=1,${'b'.repeat(400)}=2,c=${'3'.repeat(60_000)}`;
    expect([...(parseBaggage(header, losses)?.keys() ?? [])]).toEqual(['a', 'b'.repeat(400)]);
    expect(losses.baggageDropped).toBe(1);
  });
});
