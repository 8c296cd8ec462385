import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { EPOCH_MS, span, spanId, type SpanSketch, traceId } from '../../../kernel/testing/fleet-spans.js';
import { until } from '../../../kernel/testing/until.js';
import type { SpanNode, SpanRecord, Trace } from '../../../kernel/contracts/fleet-wire.js';
import { Aggregator } from './aggregator.js';
import { aggregatorDefaults, type AggregatorConfig, settingsOf } from './options.js';

function fleet(options: AggregatorConfig = {}, document?: object) {
  const clock = { at: EPOCH_MS, now: () => clock.at, monotonic: () => clock.at };
  const settings = settingsOf({ ...aggregatorDefaults(), ...options } as never);
  const aggregator = new Aggregator(settings, {
    clock,
    fetchDocument: async () => {
      if (document === undefined) throw new TypeError('no network');
      return Buffer.from(JSON.stringify(document));
    },
  });
  return { aggregator, clock };
}

test('an exception of one that watches keeps neither the others nor what it was told of, and is told once', async () => {
  const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const { aggregator } = fleet();
  const told: string[] = [];
  const broken = (): never => {
    throw new TypeError('the socket is gone');
  };
  const failing = { onSpan: broken, onTrace: broken, onService: broken, onViolation: broken, onIncident: broken };
  aggregator.subscribe(failing);
  aggregator.subscribe({
    onSpan: ({ span_id: id }) => told.push(id),
    onTrace: () => told.push('trace'),
    onService: ({ service }) => told.push(service),
  });
  expect(aggregator.acceptSpans([span({ id: 1 }), span({ id: 2 })])).toBe(2);
  aggregator.acceptHeartbeat({ service: 'shop' });
  expect(told).toEqual([spanId(1), spanId(2), 'trace', 'shop']);
  expect(aggregator.stats()).toMatchObject({ batches_accepted: 1, heartbeats: 1 });
  expect(warnings.mock.calls).toEqual([
    [
      '`a listener of the aggregator` failed: the socket is gone',
      expect.objectContaining({ code: 'FW_CALLBACK_FAILED' }),
    ],
  ]);
  warnings.mockRestore();
});

function traceOf(...spans: readonly SpanSketch[]): Trace {
  const { aggregator } = fleet();
  aggregator.acceptSpans(spans.map(span));
  return aggregator.trace(traceId(spans[0]?.trace ?? 1)) as Trace;
}

function nodesOf(trace: Trace): SpanNode[] {
  const nodes = [...trace.roots];
  for (let at = 0; at < nodes.length; at++) nodes.push(...(nodes[at]?.children ?? []));
  return nodes;
}

const failing = { status: 500, error: 'HTTP 500' } as const;

describe('a trace', () => {
  test('is a tree, whatever the order in which its spans came [FLEET-ANALYSIS-TREE, FLEET-AGG-OVERVIEW-01]', () => {
    const trace = traceOf({ id: 3, parent: 2, start: 4 }, { id: 1 }, { id: 2, parent: 1, start: 2 });
    expect(trace.roots).toMatchObject([
      { span_id: spanId(1), children: [{ span_id: spanId(2), children: [{ span_id: spanId(3) }] }] },
    ]);
    expect(trace).toMatchObject({
      span_count: 3,
      orphan_count: 0,
      skew_flagged: false,
      duration_ms: 14,
      has_error: false,
    });
  });

  test('keeps a span whose parent never came as an orphan root with its subtree [FLEET-ANALYSIS-ORPHAN]', () => {
    const trace = traceOf({ id: 1 }, { id: 2, parent: 99, start: 1 }, { id: 3, parent: 2, start: 2 });
    expect(trace.orphan_count).toBe(1);
    expect(trace.roots[1]).toMatchObject({ span_id: spanId(2), orphan: true, children: [{ span_id: spanId(3) }] });
  });

  test('flags a child that begins before its parent, and leaves the times alone [FLEET-ANALYSIS-SKEW]', () => {
    const trace = traceOf({ id: 1, start: 10 }, { id: 2, parent: 1, start: 3 });
    expect(trace.skew_flagged).toBe(true);
    expect(trace.roots[0]?.children?.[0]).toMatchObject({ skewed: true, start_ns: `${EPOCH_MS + 3}000000` });
  });

  test('breaks circles of parents without losing a span', () => {
    const trace = traceOf({ id: 1, parent: 3 }, { id: 2, parent: 1 }, { id: 3, parent: 2 }, { id: 4, parent: 4 });
    expect(trace.span_count).toBe(4);
    expect(trace.orphan_count).toBe(2);
  });

  test.each([[[0, 1, 2, 3, 4]], [[0, 2, 1, 3, 4]], [[4, 3, 2, 1, 0]], [[4, 1, 3, 0, 2, 1, 2]]])(
    'has both sides of a call that share an id, as those of Zipkin do, whichever comes first (%j)',
    (order) => {
      const { aggregator } = fleet();
      const spans = [
        span({ id: 1, service: 'gateway', duration_ms: 100, ...failing }),
        span({ id: 2, parent: 1, service: 'gateway', kind: 'client', start: 5, duration_ms: 90, ...failing }),
        span({ id: 2, parent: 1, service: 'orders', start: 10, duration_ms: 80, ...failing }),
        span({ id: 3, parent: 2, service: 'orders', kind: 'query', start: 20, duration_ms: 10, status: 0, error: 'XX000' }),
        span({ id: 4, parent: 2, service: 'gateway', kind: 'internal', start: 6, duration_ms: 1 }),
      ]; // prettier-ignore
      for (const at of order) aggregator.acceptSpans([spans[at]]);
      const trace = aggregator.trace(traceId(1)) as Trace;
      const [root] = trace.roots as readonly [SpanNode];
      const [call] = root.children as readonly [SpanNode];
      const [resolved, request] = call.children as readonly [SpanNode, SpanNode];
      expect([trace.span_count, trace.orphan_count]).toEqual([5, 0]);
      expect([call.kind, resolved.kind, request.service, request.children?.[0]?.kind]).toEqual(['client', 'internal', 'orders', 'query']); // prettier-ignore
      expect(trace.root_cause_span_id).toBe(spanId(3));
      expect(aggregator.topology()).toMatchObject({
        nodes: [{ service: 'gateway', calls: 1 }, { service: 'orders', calls: 1 }],
        edges: [{ caller: 'gateway', callee: 'orders', calls: 1 }],
      }); // prettier-ignore
      expect(aggregator.stats().spans_duplicate).toBe(order.length - spans.length);
    },
  );

  test('whose root is a call that shares its id with the request has the edge of it', () => {
    for (const kinds of [['client', 'server'], ['server', 'client']] as const) {
      const { aggregator } = fleet();
      for (const kind of kinds) aggregator.acceptSpans([span({ id: 1, kind, service: kind })]);
      expect(aggregator.topology().edges).toMatchObject([{ caller: 'client', callee: 'server', calls: 1 }]);
      expect(aggregator.trace(traceId(1))?.roots).toMatchObject([{ kind: 'client', children: [{ service: 'server' }] }]);
    }
  }); // prettier-ignore

  test('keeps nanoseconds exactly', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([{ ...span({ id: 1 }), start_ns: '1750000000123456789' }]);
    expect(aggregator.trace(traceId(1))).toMatchObject({ start_ns: '1750000000123456789' });
  });

  test('survives a chain as long as its cap, and clocks that are hours apart', () => {
    const chain = Array.from({ length: 512 }, (_, at) => ({
      id: at + 1,
      parent: at || undefined,
      start: (at % 7) * 3_600_000,
    }));
    const trace = traceOf(...chain);
    expect(trace.span_count).toBe(512);
    expect(trace.skew_flagged).toBe(true);
  });
});

describe('the root cause', () => {
  test('is the deepest failure of a chain; its callers are derived [FLEET-ANALYSIS-ROOT-CAUSE-01, FLEET-ANALYSIS-ROOT-CAUSE-02, FLEET-AGG-OVERVIEW-03]', () => {
    const trace = traceOf(
      { id: 1, service: 'gateway', duration_ms: 30, ...failing },
      { id: 2, parent: 1, service: 'auth', start: 5, duration_ms: 20, ...failing },
      { id: 3, parent: 2, service: 'orders', start: 10, duration_ms: 10, ...failing },
    );
    expect(trace.root_cause_span_id).toBe(spanId(3));
    expect(trace.root_cause_reason).toMatch(/every other failure lies above it/);
    expect(nodesOf(trace).map((node) => [node.service, node.root_cause, node.derived_error])).toEqual([
      ['gateway', undefined, true],
      ['auth', undefined, true],
      ['orders', true, undefined],
    ]);
    expect(trace.summary).toBe(
      'orders failed at GET / (status 500, HTTP 500) after 10 ms. 2 services affected by it: auth, gateway.',
    );
  });

  test('is the sibling that failed first, not the one that began first', () => {
    const trace = traceOf(
      { id: 1, duration_ms: 100, ...failing },
      { id: 2, parent: 1, start: 1, duration_ms: 80, ...failing },
      { id: 3, parent: 1, start: 5, duration_ms: 5, ...failing },
    );
    expect(trace.root_cause_span_id).toBe(spanId(3));
    expect(nodesOf(trace).find(({ span_id }) => span_id === spanId(2))).toMatchObject({ independent_error: true });
  });

  test('is found on aligned clocks: a service whose clock runs an hour ahead is not innocent for it', () => {
    const hour = 3_600_000;
    const trace = traceOf(
      { id: 1, duration_ms: 100, ...failing },
      { id: 2, parent: 1, start: hour, duration_ms: 10, ...failing },
      { id: 3, parent: 1, start: 95, duration_ms: 4, ...failing },
    );
    expect(trace.root_cause_span_id).toBe(spanId(3));
  });

  test('is a dead service by its name, where a heartbeat or an earlier call has told who is at the address', () => {
    const { aggregator } = fleet();
    const call = (port: number) => ({
      kind: 'client' as const,
      attributes: { 'server.address': '127.0.0.1', 'server.port': port },
    });
    const dead = (trace: number, port: number) => [
      span({ trace, id: 1, service: 'web', duration_ms: 30, ...failing }),
      span({
        trace,
        id: 2,
        parent: 1,
        service: 'web',
        start: 5,
        duration_ms: 2,
        status: 0,
        error: 'ECONNREFUSED',
        ...call(port),
      }),
    ];
    aggregator.acceptHeartbeat({ service: 'stock', service_url: 'http://localhost:3003' });
    aggregator.acceptSpans([
      span({ trace: 1, id: 1, service: 'web' }),
      span({ trace: 1, id: 2, parent: 1, service: 'web', ...call(3002) }),
      span({ trace: 1, id: 3, parent: 2, service: 'orders' }),
      ...dead(2, 3002),
      ...dead(3, 3003),
      ...dead(4, 3004),
    ]);
    expect([2, 3, 4].map((trace) => aggregator.trace(traceId(trace))?.root_cause_reason)).toEqual([
      expect.stringMatching(/^orders \(127\.0\.0\.1:3002\) is unreachable from web \(ECONNREFUSED\)/),
      expect.stringMatching(/^stock \(127\.0\.0\.1:3003\) is unreachable from web/),
      expect.stringMatching(/^127\.0\.0\.1:3004 is unreachable from web/),
    ]);
    expect(nodesOf(aggregator.trace(traceId(2)) as Trace)[1]).toMatchObject({
      peer_service: 'orders',
      root_cause: true,
    });
    expect(aggregator.stats()).toMatchObject({ addresses: 3, addresses_evicted: 0 });
  });

  test('that was survived is said to have been: the request itself went well', () => {
    const trace = traceOf(
      { id: 1, service: 'web', duration_ms: 30 },
      { id: 2, parent: 1, service: 'points', start: 5, ...failing },
    );
    expect(trace.root_cause_evidence?.[0]).toBe('web at GET / went on after it');
    expect(trace.summary).toBe(
      'points failed at GET / (status 500, HTTP 500) after 10 ms. web at GET / went on without it.',
    );
  });

  test('of a service that is known to send spans, and sent none, is not said to be certain', () => {
    const { aggregator } = fleet();
    const call = {
      kind: 'client' as const,
      service: 'web',
      attributes: { 'server.address': 'orders', 'server.port': 80 },
    };
    aggregator.acceptHeartbeat({ service: 'orders', service_url: 'http://orders:80' });
    aggregator.acceptSpans([
      span({ id: 1, service: 'web', ...failing }),
      span({ id: 2, parent: 1, duration_ms: 2, ...call, ...failing }),
      span({ trace: 2, id: 1, service: 'web', ...failing }),
      span({
        trace: 2,
        id: 2,
        parent: 1,
        duration_ms: 2,
        ...call,
        ...failing,
        attributes: { 'server.address': 'stranger' },
      }),
    ]);
    expect(aggregator.trace(traceId(1))).toMatchObject({
      root_cause_confidence: 'likely',
      root_cause_reason: expect.stringMatching(
        /^orders \(orders:80\) answered web with 500, and no span of it tells why/,
      ),
    });
    expect(aggregator.trace(traceId(2))).toMatchObject({ root_cause_confidence: 'certain' });
  });

  test.each([false, true])('lies behind the proxies of a mesh, which say only whom they call (the callee last: %p)', (isReversed) => {
    const { aggregator } = fleet();
    const mesh = [
      span({ id: 1, service: 'web', duration_ms: 100, ...failing }),
      span({ id: 2, parent: 1, service: 'web', kind: 'client', start: 2, duration_ms: 96, ...failing, attributes: { 'server.address': 'pay' } }),
      span({ id: 3, parent: 2, service: 'web.proxy', kind: 'client', start: 5, duration_ms: 90, ...failing, attributes: { 'server.address': 'pay' } }),
      span({ id: 4, parent: 3, service: 'pay.proxy', start: 8, duration_ms: 84, ...failing }),
      span({ id: 5, parent: 4, service: 'pay', start: 10, duration_ms: 80, ...failing }),
    ]; // prettier-ignore
    for (const each of isReversed ? mesh.toReversed() : mesh) aggregator.acceptSpans([each]);
    expect(aggregator.trace(traceId(1))).toMatchObject({
      root_cause_span_id: spanId(5),
      root_cause_confidence: 'certain',
    });
    expect(aggregator.topology().edges.map(({ caller, callee, calls }) => [caller, callee, calls])).toEqual([
      ['pay.proxy', 'pay', 1],
      ['web', 'web.proxy', 1],
      ['web.proxy', 'pay.proxy', 1],
    ]);
    // The proxy beside the caller is not at the address that it calls.
    aggregator.acceptSpans([
      span({ trace: 2, id: 1, service: 'web', kind: 'client', ...failing, attributes: { 'server.address': 'pay' } }),
    ]);
    expect(aggregator.trace(traceId(2))?.roots[0]?.peer_service).not.toBe('web.proxy');
  }); // prettier-ignore

  test.each([
    ['ECONNREFUSED', 'ECONNREFUSED', 3],
    ['TimeoutError', 'TimeoutError', 4],
    // node:http says of a deadline of the caller's own that it was aborted.
    ['ABORT_ERR', 'AbortError', 4],
  ])('is not survived by the middleware that answers for it, as Express has one (%s)', (thrown, told, cause) => {
    const trace = traceOf(
      { id: 1, service: 'web', duration_ms: 310, ...failing },
      { id: 2, parent: 1, service: 'web', kind: 'internal', route: 'request handler', start: 1, duration_ms: 303, status: 0, error: thrown, attributes: { 'express.type': 'request_handler' } },
      { id: 3, parent: 2, service: 'web', kind: 'client', start: 2, duration_ms: 300, status: 0, error: told },
      ...(cause === 4 ? [{ id: 4, parent: 3, service: 'orders', start: 3, duration_ms: 1500 }] : []),
      { id: 5, parent: 1, service: 'web', kind: 'internal', route: 'middleware - <anonymous>', start: 305, duration_ms: 1, status: 0, attributes: { 'router.type': 'middleware' } },
    ); // prettier-ignore
    expect(trace.root_cause_span_id).toBe(spanId(cause));
  });

  test('names a callee whose request went well by its service, which the call does not tell', () => {
    const trace = traceOf(
      { id: 1, service: 'web', duration_ms: 100, ...failing },
      { id: 2, parent: 1, service: 'web', kind: 'client', start: 2, status: 0, error: 'NOT_FOUND', method: 'RPC' },
      { id: 3, parent: 2, service: 'stock', start: 3, duration_ms: 5, status: 0, method: 'RPC' },
    );
    expect(trace.summary).toMatch(/^stock, called by web, failed at RPC/);
  });

  test('may be a span with status 200 and an error text', () => {
    expect(traceOf({ id: 1, error: 'query failed' }).root_cause_span_id).toBe(spanId(1));
  });

  test('is not named in a trace without failure; 4xx is none', () => {
    expect(traceOf({ id: 1, status: 404 })).not.toHaveProperty('root_cause_span_id');
  });
});

const sketches = fc
  .array(
    fc.record({
      id: fc.integer({ min: 1, max: 12 }),
      parent: fc.option(fc.integer({ min: 1, max: 14 }), { nil: undefined }),
      start: fc.integer({ min: 0, max: 50 }),
      duration_ms: fc.integer({ min: 0, max: 40 }),
      status: fc.constantFrom(200, 404, 500, 503),
      service: fc.constantFrom('a', 'b', 'c', 'd'),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((spans) => [...new Map(spans.map((each) => [each.id, each])).values()]);

describe('assembly, for any spans', () => {
  test('does not depend on the order of arrival or on the batches', () => {
    fc.assert(
      fc.property(sketches, fc.func(fc.integer()), fc.integer({ min: 1, max: 5 }), (spans, rank, size) => {
        const shuffled = spans.map(span).sort((a, b) => rank(a.span_id) - rank(b.span_id));
        const [one, other] = [fleet(), fleet()];
        one.aggregator.acceptSpans(spans.map(span));
        for (let at = 0; at < shuffled.length; at += size) other.aggregator.acceptSpans(shuffled.slice(at, at + size));
        expect(other.aggregator.trace(traceId(1))).toEqual(one.aggregator.trace(traceId(1)));
        expect(other.aggregator.topology()).toEqual(one.aggregator.topology());
        expect(other.aggregator.traces({})).toEqual(one.aggregator.traces({}));
      }),
      { numRuns: 300 },
    );
  });

  test('loses no span, marks one root cause when something failed, and says of every other failure what it is', () => {
    fc.assert(
      fc.property(sketches, (spans) => {
        const nodes = nodesOf(traceOf(...spans));
        const failed = spans.filter(({ status }) => status >= 500);
        expect(nodes).toHaveLength(spans.length);
        expect(nodes.filter(({ root_cause }) => root_cause)).toHaveLength(Math.min(1, failed.length));
        const marks = nodes.map(
          (node) => [node.root_cause, node.derived_error, node.independent_error].filter(Boolean).length,
        );
        const expected = nodes.map((node) => (node.status >= 500 || node.root_cause ? 1 : 0));
        expect(marks).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('bounds, for any spans', () => {
  test('are never exceeded, and what is lost is counted', () => {
    const limits = {
      maxTraces: 4,
      maxSpansPerTrace: 5,
      maxSpans: 14,
      maxTags: 6,
      maxServices: 10,
      maxEdges: 5,
      maxPayloadBytes: 60,
    };
    const batch = fc.array(
      fc.record({
        trace: fc.integer({ min: 1, max: 9 }),
        id: fc.integer({ min: 1, max: 40 }),
        parent: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
        service: fc.string({ maxLength: 3 }),
        tags: fc.dictionary(fc.string({ maxLength: 2 }), fc.string({ maxLength: 2 }), { maxKeys: 3 }),
        request_payload: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 4 }), (batches) => {
        const { aggregator, clock } = fleet({ ...limits, contractValidation: false });
        for (const sketchesOfBatch of batches) {
          clock.at += 1_000;
          aggregator.acceptSpans(sketchesOfBatch.map(span));
          const stats = aggregator.stats();
          const live = [...aggregator.store.traces()];
          const spans = live.flatMap((trace) => trace.spans);
          expect(stats.traces).toBeLessThanOrEqual(limits.maxTraces);
          expect(stats.spans).toBeLessThanOrEqual(limits.maxSpans);
          expect(stats.tag_entries).toBeLessThanOrEqual(limits.maxTags);
          expect(stats.nodes).toBeLessThanOrEqual(limits.maxServices);
          expect(stats.edges).toBeLessThanOrEqual(limits.maxEdges);
          expect(stats.payload_bytes).toBeLessThanOrEqual(limits.maxPayloadBytes);
          expect(stats.spans).toBe(spans.length);
          expect(stats.payload_bytes).toBe(spans.reduce((sum, each) => sum + (each.payload?.bytes ?? 0), 0));
          expect(stats.tag_entries).toBe(live.reduce((sum, trace) => sum + trace.indexedTags.length / 2, 0));
          for (const trace of live) expect(trace.spans.length).toBeLessThanOrEqual(limits.maxSpansPerTrace);
        }
        clock.at += 300_001;
        aggregator.sweep();
        expect(aggregator.stats()).toMatchObject({ traces: 0, spans: 0, tag_entries: 0, payload_bytes: 0 });
      }),
      { numRuns: 200 },
    );
  });
});

describe('the store', () => {
  test('has the limits of the specification [LIMIT-FLEET-AGGREGATOR]', () => {
    expect(settingsOf(aggregatorDefaults())).toMatchObject({
      maxTraces: 2000, maxSpansPerTrace: 512, traceTTL: 300_000, serviceTTL: 15_000, maxViolations: 1000,
    }); // prettier-ignore
  });

  test('keeps the newest traces: of 25 with room for 10, 15 are gone [FLEET-AGG-MAX-TRACES, FLEET-STATE-TRACE-RING]', () => {
    const { aggregator } = fleet({ maxTraces: 10 });
    for (let trace = 1; trace <= 25; trace++) aggregator.acceptSpans([span({ trace, id: trace })]);
    expect(aggregator.stats()).toMatchObject({ traces: 10, traces_evicted: 15 });
    expect(aggregator.trace(traceId(15))).toBeUndefined();
    expect(aggregator.trace(traceId(16))).toBeDefined();
    expect(settingsOf(aggregatorDefaults()).maxTraces).toBe(2000);
  });

  test('drops the oldest spans of a trace over its cap, and says so [FLEET-AGG-MAX-SPANS-PER-TRACE]', () => {
    const { aggregator } = fleet({ maxSpansPerTrace: 5 });
    aggregator.acceptSpans(Array.from({ length: 20 }, (_, at) => span({ id: at + 1, start: at })));
    expect(aggregator.stats()).toMatchObject({ spans: 5, spans_dropped: 15 });
    expect(aggregator.trace(traceId(1))).toMatchObject({ span_count: 5, spans_dropped: 15 });
    expect(settingsOf(aggregatorDefaults()).maxSpansPerTrace).toBe(512);
  });

  test('forgets traces, services and calls in their time when the clock was set back by hours', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptSpans([span({ id: 1 }), span({ id: 2, parent: 1, service: 'orders' })]);
    clock.at -= 7_200_000;
    aggregator.sweep();
    expect(aggregator.stats()).toMatchObject({ traces: 1, nodes: 2, edges: 1 });
    clock.at += 300_001;
    aggregator.sweep();
    expect(aggregator.stats()).toMatchObject({ traces: 0, traces_expired: 1 });
    clock.at += 300_001;
    aggregator.sweep();
    expect(aggregator.stats()).toMatchObject({ nodes: 0, edges: 0 });
  });

  test('forgets a trace that was idle longer than traceTTL; a late span keeps it alive [FLEET-AGG-TRACE-TTL, FLEET-STATE-TRACE-TTL]', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptSpans([span({ id: 1 })]);
    clock.at += 299_000;
    aggregator.acceptSpans([span({ id: 2, parent: 1 })]);
    clock.at += 300_000;
    aggregator.sweep();
    expect(aggregator.trace(traceId(1))).toBeDefined();
    clock.at += 1;
    aggregator.sweep();
    aggregator.sweep();
    expect(aggregator.stats()).toMatchObject({ traces: 0, spans: 0, traces_expired: 1 });
  });

  test('takes the same span twice without counting the call twice', () => {
    const { aggregator } = fleet();
    const batch = [span({ id: 1, service: 'a' }), span({ id: 2, parent: 1, service: 'b' })];
    aggregator.acceptSpans(batch);
    aggregator.acceptSpans(batch);
    expect(aggregator.stats()).toMatchObject({ spans: 2, spans_duplicate: 2 });
    expect(aggregator.topology().edges).toMatchObject([{ caller: 'a', callee: 'b', calls: 1 }]);
  });

  test.each([
    ['trace id of 31 digits', { trace_id: 'a'.repeat(31) }],
    ['trace id in upper case', { trace_id: 'A'.repeat(32) }],
    ['trace id of zeros', { trace_id: '0'.repeat(32) }],
    ['span id of 17 digits', { span_id: 'a'.repeat(17) }],
    ['span id that is not hex', { span_id: 'g'.repeat(16) }],
    ['span id of zeros', { span_id: '0'.repeat(16) }],
    ['malformed parent', { parent_span_id: 'nonsense' }],
    ['missing ids', { trace_id: undefined, span_id: undefined }],
  ])('refuses the whole batch for a span with a %s', (_, broken) => {
    const { aggregator } = fleet();
    const batch = [span({ id: 1 }), { ...span({ id: 2 }), ...broken }];
    expect(() => aggregator.acceptSpans(batch)).toThrow(/invalid span identity at index 1/);
    expect(aggregator.stats()).toMatchObject({ spans: 0, spans_rejected: 2, batches_rejected: 1 });
  });

  test('stays within its bounds under a million distinct service names', () => {
    const { aggregator, clock } = fleet({ contractValidation: false, maxSpans: 5_000 });
    const size = 2_500;
    const batch = Array.from({ length: size }, (_, at) => ({ ...span({ trace: at + 1, id: 1 }), service: '' }));
    for (let from = 0; from < 1_000_000; from += size) {
      clock.at += 10;
      batch.forEach((each, at) => (each.service = `s${from + at}`));
      aggregator.acceptSpans(batch);
    }
    const stats = aggregator.stats();
    expect(stats.nodes).toBeLessThanOrEqual(500);
    expect(stats.spans).toBeLessThanOrEqual(5_000);
    expect(stats.nodes + stats.nodes_evicted).toBe(1_000_000);
    // Whoever comes after them is seen as ever.
    aggregator.acceptSpans([span({ trace: 7, id: 2, service: 'orders' })]);
    expect(aggregator.topology().nodes).toContainEqual(expect.objectContaining({ service: 'orders', calls: 1 }));
  });
});

describe('the trace list', () => {
  test('is newest first and pages without repeating or losing a row while traces arrive', () => {
    const { aggregator } = fleet();
    for (let n = 1; n <= 30; n++) aggregator.acceptSpans([span({ trace: n, id: n, start: n % 10 })]);
    const seen: string[] = [];
    let after: { start: string; id: string } | undefined;
    do {
      const page = aggregator.traces({ limit: 7, after });
      seen.push(...page.traces.map(({ trace_id }) => trace_id));
      aggregator.acceptSpans([span({ trace: 100 + seen.length, id: 1, start: 1_000 + seen.length })]);
      after = page.next;
    } while (after);
    expect(seen).toHaveLength(30);
    expect(new Set(seen).size).toBe(30);
  });

  test('filters by service, status, duration, number of services and tag', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([
      span({ trace: 1, id: 1, service: 'a', tags: { order: '7', ünï: 'x:y' } }),
      span({ trace: 1, id: 2, parent: 1, service: 'b', ...failing }),
      span({ trace: 2, id: 3, service: 'a', duration_ms: 500 }),
    ]);
    const ids = (query: Parameters<Aggregator['traces']>[0]) =>
      aggregator.traces(query).traces.map((each) => each.trace_id);
    expect(ids({ service: 'b' })).toEqual([traceId(1)]);
    expect(ids({ status: 'error' })).toEqual([traceId(1)]);
    expect(ids({ status: 200 })).toHaveLength(2);
    expect(ids({ minDurationMs: 400 })).toEqual([traceId(2)]);
    expect(ids({ minServices: 2 })).toEqual([traceId(1)]);
    expect(ids({ tag: { key: 'order', value: '7' } })).toEqual([traceId(1)]);
    expect(ids({ tag: { key: 'ünï', value: 'x:y' } })).toEqual([traceId(1)]);
    expect(ids({ tag: { key: 'order', value: '8' } })).toEqual([]);
  });
});

function called(count: number, errors: number, path: readonly string[], first: number): SpanRecord[] {
  return Array.from({ length: count }, (_, n) =>
    path.map((service, depth) =>
      span({
        trace: first + n,
        id: (first + n) * 10 + depth,
        parent: depth === 0 ? undefined : (first + n) * 10 + depth - 1,
        service,
        start: depth,
        duration_ms: 3,
        ...(n < errors && failing),
      }),
    ),
  ).flat();
}

describe('the topology', () => {
  test('has nodes by what they answered and edges by calls [FLEET-AGG-OVERVIEW-02]', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans(called(20, 5, ['gateway', 'auth', 'orders'], 1));
    const { nodes, edges } = aggregator.topology();
    expect(nodes.map(({ service, calls, entry }) => [service, calls, entry])).toEqual([
      ['auth', 20, undefined],
      ['gateway', 20, true],
      ['orders', 20, undefined],
    ]);
    expect(edges).toMatchObject([
      { caller: 'auth', callee: 'orders', calls: 20, errors: 5, error_rate: 0.25 },
      { caller: 'gateway', callee: 'auth', calls: 20 },
    ]);
  });

  test('gives true quantiles, within one per cent [FLEET-ANALYSIS-PERCENTILES]', () => {
    const { aggregator } = fleet();
    const durations = Array.from({ length: 1_000 }, (_, n) => 1.01 ** n / 10);
    durations.forEach((duration_ms, n) =>
      aggregator.acceptSpans([span({ trace: n + 1, id: n + 1, service: 'a', duration_ms })]),
    );
    const [node] = aggregator.topology().nodes;
    for (const [key, share] of [
      ['p50_ms', 0.5],
      ['p95_ms', 0.95],
      ['p99_ms', 0.99],
    ] as const) {
      const exact = durations[Math.floor(share * 999)] as number;
      expect(Math.abs((node?.[key] ?? 0) / exact - 1)).toBeLessThan(0.0102);
    }
  });

  test('describes the retention window: what is older no longer counts [FLEET-TOPOLOGY-02]', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptSpans(called(10, 10, ['a', 'b'], 1));
    clock.at += 200_000;
    aggregator.acceptSpans(called(5, 0, ['a', 'b'], 100));
    expect(aggregator.topology().edges).toMatchObject([{ calls: 15, errors: 10 }]);
    clock.at += 150_000;
    expect(aggregator.topology().edges).toMatchObject([{ calls: 5, errors: 0 }]);
    clock.at += 500_000;
    aggregator.sweep();
    expect(aggregator.topology()).toEqual({ nodes: [], edges: [], window_ms: 300_000 });
  });

  test('has a callee whose spans have no kind, whichever span comes first; what is below them is no call', () => {
    const spans = [
      span({ id: 1, service: 'gateway', ...failing }),
      span({ id: 2, parent: 1, service: 'gateway', kind: 'client', start: 1, status: 500, error: 'HTTP 500' }),
      span({ id: 3, parent: 2, service: 'script', kind: 'internal', start: 2, duration_ms: 5, status: 0, error: 'KeyError' }),
      span({ id: 4, parent: 3, service: 'script', kind: 'internal', start: 3, duration_ms: 1, status: 0 }),
      span({ id: 5, parent: 1, service: 'gateway', kind: 'internal', start: 3, duration_ms: 1, status: 0 }),
    ]; // prettier-ignore
    for (const order of [spans, spans.toReversed()]) {
      const { aggregator } = fleet();
      for (const each of order) aggregator.acceptSpans([each]);
      const { nodes, edges } = aggregator.topology();
      expect(nodes).toMatchObject([{ service: 'gateway', calls: 1 }, { service: 'script', calls: 1, errors: 1 }]);
      expect(edges).toMatchObject([{ caller: 'gateway', callee: 'script', calls: 1 }]);
      expect(aggregator.trace(traceId(1))).toMatchObject({ root_cause_span_id: spanId(3), root_cause_confidence: 'certain' });
    }
  }); // prettier-ignore

  test('is entered at a service that nobody is seen to call, even if its requests say that they have a parent', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([
      span({ id: 1, parent: 99, service: 'web' }),
      span({ id: 2, parent: 1, service: 'web', kind: 'client' }),
      span({ id: 3, parent: 2, service: 'orders' }),
    ]);
    const entries = aggregator.topology().nodes.map(({ service, entry }) => [service, entry]);
    expect(entries).toEqual([['orders', undefined], ['web', true]]); // prettier-ignore
  });

  test('a query is no call between services, and neither is a service that calls itself', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([
      span({ id: 1, service: 'a' }),
      span({ id: 2, parent: 1, service: 'a', kind: 'query', route: 'SELECT 1', method: 'SELECT' }),
      span({ id: 3, parent: 1, service: 'a' }),
    ]);
    expect(aggregator.topology()).toMatchObject({ nodes: [{ service: 'a', calls: 2 }], edges: [] });
  });
});

describe('incidents', () => {
  test('name the failing service and its callers by hops [FLEET-ANALYSIS-BLAST-RADIUS]', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans(called(20, 10, ['gateway', 'auth', 'orders'], 1));
    const orders = aggregator.incidents().find(({ service }) => service === 'orders');
    expect(orders).toMatchObject({
      state: 'open',
      error_rate: 0.5,
      affected: [
        { service: 'auth', hops: 1, dependency_error_rate: 0.5, attributed_share: 0.5 },
        { service: 'gateway', hops: 2, via: 'auth' },
      ],
      banner: '⚠ orders fails 50 % of its requests; 2 services affected: auth, gateway',
    });
  });

  test('are no artefact of sampling: a span counts for those like it that were not recorded, a failure for itself', () => {
    const { aggregator } = fleet();
    const good = called(20, 0, ['gateway', 'orders'], 1).map((each) => ({ ...each, probability: 0.01 }));
    aggregator.acceptSpans([...good, ...called(20, 20, ['gateway', 'orders'], 100)]);
    expect(aggregator.incidents()).toEqual([]);
    expect(aggregator.topology()).toMatchObject({
      nodes: [
        { calls: 2020, errors: 20 },
        { calls: 2020, errors: 20 },
      ],
      edges: [{ calls: 2020, errors: 20 }],
    });
  });

  test('leave out a caller that copes, and everybody behind it', () => {
    const { aggregator } = fleet();
    const spans = called(20, 10, ['gateway', 'auth', 'orders'], 1).map((each) =>
      each.service === 'orders' ? each : { ...each, status: 200, error: undefined },
    );
    aggregator.acceptSpans(spans);
    expect(aggregator.incidents()).toMatchObject([{ service: 'orders', affected: [] }]);
  });

  test('need ten calls and the threshold', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans([...called(9, 9, ['few'], 1), ...called(100, 9, ['seldom'], 100)]);
    expect(aggregator.incidents()).toEqual([]);
  });

  test('end in circles of calls, without listing their origin', () => {
    const { aggregator } = fleet();
    aggregator.acceptSpans(called(12, 12, ['a', 'b', 'a'], 1));
    const [incident] = aggregator.incidents().filter(({ service }) => service === 'a');
    expect(incident?.affected.map(({ service }) => service)).toEqual(['b']);
  });

  test('are resolved, and remembered, when the errors stop', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptSpans(called(20, 20, ['a'], 1));
    expect(aggregator.incidents()).toMatchObject([{ state: 'open', peak_error_rate: 1 }]);
    clock.at += 180_000;
    expect(aggregator.incidents()).toMatchObject([{ state: 'resolved', service: 'a' }]);
  });
});

test('a route that the document does not have is a violation of its caller, whose span may come later', async () => {
  const { aggregator } = fleet({}, { paths: { '/orders': { get: {} } } });
  aggregator.acceptHeartbeat({ service: 'orders', instance_id: '1', openapi_hash: '1', openapi_url: 'http://orders' });
  await until(() => aggregator.contracts?.stats().schemas === 1, 'the document');
  aggregator.acceptSpans([span({ id: 2, parent: 1, service: 'orders', route: '/nowhere' })]);
  expect(aggregator.violations()).toEqual([]);
  aggregator.acceptSpans([span({ id: 1, service: 'web', kind: 'client' })]);
  expect(aggregator.violations()).toMatchObject([
    { caller: 'web', callee: 'orders', route: '/nowhere', rule: 'route' },
  ]);
  await aggregator.close();
});

describe('services', () => {
  test('go down after serviceTTL without a heartbeat, and come up with the next [FLEET-STATE-SERVICE, FLEET-AGG-SERVICE-TTL]', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptHeartbeat({ service: 'orders', instance_id: 'i1', version: '1', rps: 2 });
    clock.at += 15_000;
    expect(aggregator.services()).toMatchObject([{ name: 'orders', status: 'up', instances: 1 }]);
    clock.at += 1;
    expect(aggregator.services()).toMatchObject([{ status: 'down', instances: 0 }]);
    aggregator.acceptHeartbeat({ service: 'orders', instance_id: 'i1' });
    expect(aggregator.services()).toMatchObject([{ status: 'up' }]);
  });

  test('are not believed alive for hours when the clock was set back, and come up with the next heartbeat', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptHeartbeat({ service: 'orders', instance_id: 'i1' });
    aggregator.acceptHeartbeat({ service: 'dead', instance_id: 'i2' });
    clock.at -= 7_200_000;
    aggregator.acceptHeartbeat({ service: 'orders', instance_id: 'i1' });
    const states = aggregator.services().map(({ name, status }) => [name, status]);
    expect(states).toEqual([['dead', 'down'], ['orders', 'up']]); // prettier-ignore
    aggregator.sweep();
    expect(aggregator.services().map(({ name }) => name)).toEqual(['orders']);
  });

  test('weigh error rates by traffic, and are forgotten after long silence', () => {
    const { aggregator, clock } = fleet();
    aggregator.acceptHeartbeat({ service: 'a', instance_id: 'busy', rps: 1_000, error_rate: 0 });
    aggregator.acceptHeartbeat({ service: 'a', instance_id: 'idle', rps: 1, error_rate: 1 });
    expect(aggregator.services()).toMatchObject([{ status: 'up', rps: 1_001, instances: 2 }]);
    clock.at += 300_001;
    aggregator.sweep();
    expect(aggregator.services()).toEqual([]);
  });

  test.each([null, 7, [], {}, { service: '' }, { service: 7 }])('a heartbeat %j is malformed', (body) => {
    expect(() => fleet().aggregator.acceptHeartbeat(body)).toThrow(/malformed heartbeat/);
  });
});
