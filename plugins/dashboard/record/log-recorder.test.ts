import { beforeEach, expect, test } from '@jest/globals';
import type { LogLine } from '../../../kernel/index.js';
import { LogRecorder } from './log-recorder.js';

let recorder: LogRecorder;
beforeEach(() => {
  recorder = new LogRecorder(3, (path) => path.startsWith('/dashboard'));
});

let time = 0;
const line = (message: string, fields: LogLine['fields'] = {}, level: LogLine['level'] = 'info'): LogLine => ({
  time: (time += 1000),
  level,
  message,
  fields,
});
const messages = (level: 'all' | 'app' | 'http' | 'warning' = 'all', limit = 100) =>
  recorder.find({ level, limit }).map(({ message }) => message);

test('keeps the newest lines of each kind, so that a busy kind leaves the others alone', () => {
  recorder.take(line('the disk is slow', {}, 'warn'));
  for (let nth = 1; nth <= 5; nth++) recorder.take(line(`line ${nth}`));
  expect(messages('app')).toEqual(['line 5', 'line 4', 'line 3']);
  expect(messages('warning')).toEqual(['the disk is slow']);
  expect(messages('all', 2)).toEqual(['line 5', 'line 4']);
  expect(recorder.dropped).toBe(2);
});

test('leaves lines about the dashboard itself out', () => {
  const request = (path: string) =>
    line('request', { plugin: 'middleware/logging', method: 'GET', path, status: 200, durationMs: 1 });
  expect(recorder.take(request('/dashboard/api/logs'))).toBeUndefined();
  recorder.take(request('/api/products'));
  expect(messages('http')).toEqual(['GET /api/products 200 1ms']);
});

test.each([
  [line('password=hunter2'), 'password=***'],
  [line('hello', { password: 'hunter2 and more' }), 'hello password=***'],
  [line('hello', { dbToken: 'hunter2', id: 7 }), 'hello dbToken=*** id=7'],
  [line('hello', { headers: { authorization: 'hunter2' }, body: { note: 'hunter2' } }), 'hello'],
  [line('Authorization: Basic hunter2'), 'Authorization: ***'],
])('keeps no secret, nor any value of an object: %#', (given, shown) => {
  recorder.take(given);
  expect(messages()).toEqual([shown]);
});

test('shows an error with its stack, masked and not without end', () => {
  const err = new Error(`cannot log in with token=hunter2 ${'x'.repeat(10_000)}`);
  const kept = recorder.take(line('failed', { err }, 'error'));
  expect(kept?.message).toMatch(/^failed \nError: cannot log in with token=\*\*\* x+$/);
  expect(kept?.message.length).toBeLessThanOrEqual(4_000);
});

test('finds by text in any case and by trace, and counts after the filters', () => {
  recorder.take(line('Zebra one', { traceId: 'a' }));
  recorder.take(line('horse', { traceId: 'b' }));
  const find = (query: object) => recorder.find({ level: 'app', limit: 1, ...query }).map(({ message }) => message);
  expect(find({ text: 'ZEBRA' })).toEqual(['Zebra one']);
  expect(find({ traceId: 'b' })).toEqual(['horse']);
  expect(find({ traceId: 'b', text: 'zebra' })).toEqual([]);
});
