import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatBaggage, parseBaggage } from './baggage.js';
import { passedOnBaggage } from './w3c-baggage.js';
import { isSampled } from './sampling.js';
import { passedOnTracestate, scrubbedJson } from '../recorded/index.js';
import { newSpanId, newTraceId } from './span-ids.js';
import { microsecondsText, millisecondsText, nanosecondsText } from './trace-clock.js';
import { formatTraceparent, parseTraceparent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('traceparent', () => {
  test('is read and written as the W3C says [FLEET-OVERVIEW-02]', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`)).toMatchObject({ sampled: false });
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-03`)).toMatchObject({ sampled: true });
    expect(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-comes-later`)).toMatchObject({ traceId: TRACE });
    expect(formatTraceparent({ traceId: TRACE, spanId: SPAN, sampled: false })).toBe(`00-${TRACE}-${SPAN}-00`);
  });

  test.each([...'0123456789abcdef'])('is sampled as the last bit of flags 0%s says', (digit) => {
    const sampled = Number.parseInt(digit, 16) % 2 === 1;
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-0${digit}`)).toMatchObject({ sampled });
  });

  test.each([
    '', 'nonsense', `ff-${TRACE}-${SPAN}-01`, `00-${TRACE.toUpperCase()}-${SPAN}-01`, `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`, `00-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}-0`, `00-${TRACE}-${SPAN}-0g`,
    `00_${TRACE}_${SPAN}_01`, `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01.x`, `00-${TRACE}${SPAN}-01`,
  ])('refuses %j', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  }); // prettier-ignore

  test('of fresh ids is well-formed, and ids do not repeat', () => {
    const ids = new Set<string>();
    for (let n = 0; n < 5_000; n++) {
      const [traceId, spanId] = [newTraceId(), newSpanId()];
      expect(parseTraceparent(formatTraceparent({ traceId, spanId, sampled: true }))).toBeDefined();
      ids.add(traceId).add(spanId);
    }
    expect(ids.size).toBe(10_000);
  });
});

describe('tracestate', () => {
  test.each([
    ['rojo=00f067aa0ba902b7,congo=t61rcWkgMzE', 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
    [' a=1 , ,b=2 ', 'a=1,b=2'],
    ['tenant@vendor=x', 'tenant@vendor=x'],
    ['a=1,a=2', undefined],
    ['A=1', undefined],
    ['a', undefined],
    ['a=b=c', undefined],
    ['', undefined],
    [Array.from({ length: 33 }, (_, n) => `k${n}=v`).join(), undefined],
  ])('%j is passed on as %j', (header, expected) => {
    expect(passedOnTracestate(header)).toBe(expected);
  });

  test('that is too long loses long members first, then the last ones', () => {
    const long = `long=${'x'.repeat(200)}`;
    const short = Array.from({ length: 30 }, (_, n) => `k${n}=${'y'.repeat(20)}`);
    const passed = passedOnTracestate([long, ...short].join()) as string;
    expect(passed.length).toBeLessThanOrEqual(512);
    expect(passed.startsWith('k0=')).toBe(true);
  });
});

describe('baggage', () => {
  test('comes back as it went, whatever the characters, within 512 bytes [FLEET-TAG-02]', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((each) => each.trim() === each);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 40 }), (pairs) => {
        const losses = { baggageDropped: 0 };
        const baggage = new Map(pairs);
        const header = formatBaggage(baggage, losses);
        const read = parseBaggage(header, losses) ?? new Map();
        expect(Buffer.byteLength(header)).toBeLessThanOrEqual(512);
        expect(header).toMatch(/^[\x21-\x7e]*$/);
        for (const [key, value] of read) expect(baggage.get(key)).toBe(value);
        expect(read.size + losses.baggageDropped).toBe(baggage.size);
      }),
    );
  });

  test('that is broken costs only its broken entries', () => {
    const losses = { baggageDropped: 0 };
    expect(parseBaggage('a=1,,=x,b,c=%zz,d=%20 ,e=', losses)).toEqual(new Map([['a', '1'], ['d', ' ']])); // prettier-ignore
    expect(losses.baggageDropped).toBe(4);
  });

  test('of others is passed on as it came, without what is malformed or too much', () => {
    const losses = { baggageDropped: 0 };
    const good = 'user = a%20b ; ttl = 1 ;x,k=,a!=b=c';
    expect(passedOnBaggage(`${good},,=x,b c=d,e="f",;x,g=h i`, losses)).toBe(good);
    expect(losses.baggageDropped).toBe(5);
    const many = Array.from({ length: 100 }, (_, n) => `k${n}=v`);
    expect(passedOnBaggage(many.join(), losses)).toBe(many.slice(0, 64).join());
    expect(passedOnBaggage(`a=${'b'.repeat(4_000)},c=${'d'.repeat(4_200)}`, losses)).toBe(`a=${'b'.repeat(4_000)}`);
  });

  test('of others is read in no time, whatever the whitespace in it', () => {
    const blank = ' '.repeat(2_700);
    expect(passedOnBaggage(`k=${blank};${blank}é`, { baggageDropped: 0 })).toBeUndefined();
  });

  test('that is too much is cut and counted', () => {
    const losses = { baggageDropped: 0 };
    const many = Array.from({ length: 100 }, (_, n) => `key${n}=value`).join();
    expect(parseBaggage(many, losses)?.size).toBe(32);
    expect(parseBaggage('x'.repeat(600), losses)).toBeUndefined();
    expect(losses.baggageDropped).toBeGreaterThan(1);
  });
});

describe('sampling', () => {
  test('takes all, none, or the share that was asked for, the same for one id everywhere [FLEET-RULE-SAMPLING-01, FLEET-TRACER-SAMPLE-RATE]', () => {
    const ids = Array.from({ length: 20_000 }, newTraceId);
    expect(ids.every((id) => isSampled(id, 1))).toBe(true);
    expect(ids.some((id) => isSampled(id, 0))).toBe(false);
    const taken = ids.filter((id) => isSampled(id, 0.1)).length;
    expect(taken).toBeGreaterThan(1_750);
    expect(taken).toBeLessThan(2_250);
    expect(ids.every((id) => !isSampled(id, 0.1) || isSampled(id, 0.5))).toBe(true);
    expect(isSampled('f'.repeat(32), 0.999)).toBe(false);
  });
});

describe('payloads', () => {
  test('lose their secrets, at any depth', () => {
    const body = { user: 'x', Password: 1, nested: [{ 'api-key': 'k', X_Auth_Token: { a: 1 }, pin: 1, pinned: 2 }] };
    expect(JSON.parse(scrubbedJson(body) as string)).toEqual({
      user: 'x',
      Password: '••••••',
      nested: [{ 'api-key': '••••••', X_Auth_Token: '••••••', pin: '••••••', pinned: 2 }],
    });
  });

  test('that are no JSON, too large, too deep or cyclic are left out', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const deep = JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown;
    for (const body of ['{', '', 'x'.repeat(70_000), { big: 'x'.repeat(70_000) }, cyclic, deep, undefined, { n: 1n }]) {
      expect(scrubbedJson(body)).toBeUndefined();
    }
    expect(scrubbedJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });
});

test('ids are hex digits of their length, and none comes twice', () => {
  // More than the random source is asked for at once, in turn, so that the ends of what it gave are met in every way.
  const ids = Array.from({ length: 5_000 }, (_, at) => (at % 3 === 0 ? newTraceId() : newSpanId()));
  expect(ids.filter((id, at) => !(at % 3 === 0 ? /^[0-9a-f]{32}$/ : /^[0-9a-f]{16}$/).test(id))).toEqual([]);
  const halves = ids.flatMap((id) => id.match(/.{16}/g) ?? []);
  expect(new Set(halves).size).toBe(halves.length);
});

test('milliseconds are JSON with three digits behind the point at most', () => {
  const texts = [0, 0.0004, 0.001, 0.05, 1, 12.34, 999.9996, 1234.5678, 5_000_000_000.25].map(millisecondsText);
  expect(texts).toEqual(['0', '0', '0.001', '0.050', '1', '12.340', '1000', '1234.568', '5000000000.250']);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (ms) => {
      expect(JSON.parse(millisecondsText(ms))).toBeCloseTo(ms, 2);
    }),
  );
});

test('nanoseconds are decimal text of nineteen digits, carried over at the millisecond', () => {
  expect(nanosecondsText(1_750_000_000_000.5)).toBe('1750000000000500000');
  expect(nanosecondsText(1_750_000_000_000.99999)).toBe('1750000000001000000');
  expect(nanosecondsText(1_750_000_000_000.0625)).toBe('1750000000000062500');
  expect(microsecondsText(1_750_000_000_000.0625)).toBe('2025-06-15T15:06:40.000063Z');
  expect(microsecondsText(1_750_000_000_000.9999)).toBe('2025-06-15T15:06:40.001000Z');
});
