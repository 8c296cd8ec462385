import { expect, test } from '@jest/globals';
import { newTracer } from './index.js';
import { announcedBy } from './request-trace.js';

const begun = () => newTracer({ serviceName: 'a', enabled: true, heartbeatInterval: '1h' }).beginRoot();

test('a trace remembers the calls that it announced until its span ends, and no more than 256 of them', () => {
  const trace = begun();
  const ids = Array.from({ length: 300 }, () => trace.announceCall());
  expect(ids.filter((id) => announcedBy(id) === trace)).toHaveLength(256);
  expect(ids.slice(256)).toEqual(new Array(44).fill(trace.spanId));
  trace.endCalls();
  expect(ids.filter((id) => announcedBy(id) !== undefined)).toEqual([]);
});

test('work that goes on after its span announces calls under that span, and leaves nothing behind', () => {
  const trace = begun();
  trace.announceCall();
  trace.endCalls();
  const late = Array.from({ length: 10 }, () => trace.announceCall());
  expect(late).toEqual(new Array(10).fill(trace.spanId));
  expect(announcedBy(trace.spanId)).toBeUndefined();
});
