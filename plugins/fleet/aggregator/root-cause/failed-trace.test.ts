import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EPOCH_MS, span, type SpanSketch, traceId } from '../../../../kernel/testing/fleet-spans.js';
import { Aggregator } from '../aggregator.js';
import { aggregatorDefaults, settingsOf } from '../options.js';

const clock = { now: () => EPOCH_MS, monotonic: () => EPOCH_MS };

function fleetWith(spans: readonly SpanSketch[]) {
  const settings = settingsOf({ ...aggregatorDefaults(), contractValidation: false });
  const aggregator = new Aggregator(settings, {
    clock,
    fetchDocument: () => Promise.reject(new Error('no network')),
  });
  let told: boolean | undefined;
  aggregator.subscribe({ onTrace: ({ error }) => (told = error === true) });
  aggregator.acceptSpans(spans.map(span));
  return { aggregator, told };
}

/** What a list, its filter, the trace and the live event say. */
function failed(...spans: readonly SpanSketch[]) {
  const { aggregator, told } = fleetWith(spans);
  return {
    listed: aggregator.traces({}).traces[0]?.has_error,
    filtered: aggregator.traces({ status: 'error' }).traces.length === 1,
    open: aggregator.trace(traceId(1))?.has_error,
    told,
  };
}

const YES = { listed: true, filtered: true, open: true };
const NO = { listed: false, filtered: false, open: false };

const request: SpanSketch = { id: 1, service: 'shop', duration_ms: 100 };
const slow: SpanSketch = { id: 2, parent: 1, service: 'shop', kind: 'client', route: 'mirror/a', start: 1, duration_ms: 50, status: 0, error: 'AbortError' }; // prettier-ignore
const quick: SpanSketch = { id: 3, parent: 1, service: 'shop', kind: 'client', route: 'mirror/b', start: 20, duration_ms: 31 }; // prettier-ignore
const answer = (rest: Partial<SpanSketch>): SpanSketch => ({ id: 4, parent: 2, service: 'mirror', start: 2, ...rest });
const bad = { status: 500, error: 'HTTP 500' };

describe('a trace in which something was called off', () => {
  test.each<[string, readonly SpanSketch[]]>([
    ['the slower of two hedged requests', [request, slow, quick]],
    ['its callee, which answered that nobody waits', [request, slow, quick, answer({ duration_ms: 49, status: 499 })]],
    ['its callee, which failed at that moment', [request, slow, quick, answer({ duration_ms: 49, ...bad })]],
    ['its callee, which noticed later', [request, slow, quick, answer({ duration_ms: 90, ...bad, attributes: { 'error.type': 'AbortError' } })]],
    ['a statement', [request, { ...slow, kind: 'query', route: 'SELECT 1', error: 'query failed: FW_ORM_ABORTED' }]],
    ['a part of the request around it', [request, { id: 5, parent: 1, service: 'shop', kind: 'internal', method: 'RUN', start: 1, duration_ms: 50, status: 0, error: 'AbortError' }, { ...slow, parent: 5 }]],
    ['a call whose request was not recorded, because it went well', [slow]],
  ])('has not failed: %s', (_, spans) => {
    expect(failed(...spans)).toMatchObject(NO);
  }); // prettier-ignore

  test.each<[string, readonly SpanSketch[]]>([
    ['the request', [{ ...request, ...bad }, slow]],
    ['another call', [request, slow, { ...quick, status: 500, error: 'HTTP 500' }]],
    ['its callee, before that', [request, { ...slow, duration_ms: 80 }, answer({ duration_ms: 10, ...bad })]],
    ['its callee, for itself', [request, slow, answer({ duration_ms: 90, ...bad, attributes: { 'error.type': 'TypeError' } })]],
    ['a message that was cut off', [request, { id: 6, parent: 1, service: 'worker', kind: 'consumer', method: 'PROCESS', start: 200, status: 0, error: 'AbortError' }]],
    ['a job that was cut off', [{ id: 7, service: 'worker', kind: 'internal', method: 'RUN', status: 0, error: 'AbortError' }]],
  ])('has failed when that did: %s', (_, spans) => {
    expect(failed(...spans)).toMatchObject(YES);
  }); // prettier-ignore

  test('is not told as a failure to whoever watches', () => {
    expect([failed(request, slow).told, failed(request, slow, { ...quick, ...bad }).told]).toEqual([false, true]);
  });
});

test('the list and the trace agree, whatever the spans are', () => {
  const part = fc.record({
    parent: fc.nat(6),
    kind: fc.constantFrom('server', 'client', 'query', 'internal', 'consumer') as fc.Arbitrary<never>,
    start: fc.nat(100),
    duration_ms: fc.nat(100),
    outcome: fc.constantFrom({}, bad, { status: 499 }, { status: 0, error: 'AbortError' }, { status: 0, error: 'ECONNREFUSED' }), // prettier-ignore
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
      const spans = parts.map(({ parent, outcome, ...rest }, at) => ({
        id: at + 1,
        ...(parent > 0 && parent <= at && { parent }),
        ...rest,
        ...outcome,
      }));
      const { listed, open } = failed(...spans);
      expect(listed).toBe(open);
    }),
  );
});
