import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Type, validatorOf } from '../../../kernel/index.js';
import { flatten, FlatSpan } from './flat-trace.js';
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

const MEMBERS = [
  'span_id',
  'service',
  'method',
  'route',
  'status',
  'duration_ms',
  'start_ns',
  'end_ns',
  'error',
  'children',
];

test('no tree of JSON that claims to be a trace breaks flatten, and none makes it say more than it should', () => {
  const tree = fc.letrec<{ node: object }>((tie) => ({
    node: fc.dictionary(
      fc.constantFrom(...MEMBERS, 'root_cause', '__proto__'),
      fc.oneof(
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.constantFrom('9'.repeat(400), '1e9', -1, 1.5, 1e300, 'x'.repeat(5_000)),
      ),
      { maxKeys: 8 },
    ),
  })).node;
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 3 }), (roots) => {
      const trace = { trace_id: 't', services: ['s'], span_count: 1, duration_ms: 1, status: 200, has_error: false };
      const { spans } = flatten({ ...trace, roots: JSON.parse(JSON.stringify(roots)) as never });
      expect(validatorOf(Type.Array(FlatSpan)).check(spans)).toEqual([]);
      for (const { service, route } of spans) expect(Math.max(service.length, route.length)).toBeLessThanOrEqual(512);
    }),
  );
});
