import { expect, test } from '@jest/globals';
import { flatten } from './flat-trace.js';
import type { SpanNode } from './wire.js';

test('flatten copes with one chain of a hundred thousand spans', () => {
  let chain: SpanNode = { span_id: '0', service: 's' };
  for (let depth = 1; depth < 100_000; depth++) chain = { span_id: String(depth), service: 's', children: [chain] };
  const flat = flatten({
    trace_id: 't',
    roots: [chain],
    services: ['s'],
    span_count: 100_000,
    duration_ms: 1,
    status: 200,
    has_error: false,
  });
  expect(flat.spans).toHaveLength(100_000);
  expect(flat.spans.at(-1)).toMatchObject({ depth: 99_999, span_id: '0' });
});

test('a span without a duration gets it from its two ends', () => {
  const root = { span_id: '1', service: 's', start_ns: '1700000000000000000', end_ns: '1700000000001500000' };
  const trace = { trace_id: 't', services: ['s'], span_count: 1, duration_ms: 1.5, status: 200, has_error: false };
  expect(flatten({ ...trace, roots: [root] }).spans[0]?.duration_ms).toBe(1.5);
});
