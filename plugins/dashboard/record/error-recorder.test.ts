import { beforeEach, expect, test } from '@jest/globals';
import type { LogLine } from '../../../kernel/index.js';
import type { RequestDetail } from '../wire/api.js';
import { ErrorRecorder } from './error-recorder.js';
import { PerMinute } from './per-minute.js';
import { HandClock } from './testing/hand-clock.js';

let clock: HandClock;
let recorder: ErrorRecorder;
beforeEach(() => {
  clock = new HandClock();
  recorder = new ErrorRecorder(clock, '/app');
});

const failure = (message: string, stack = '', fields: LogLine['fields'] = {}): LogLine => {
  const err = Object.assign(new RangeError(message), { stack });
  return { time: clock.now(), level: 'error', message: 'failed', fields: { err, ...fields } };
};
const answer = (given: Partial<RequestDetail>) => ({ method: 'GET', path: '/', route: '/', status: 500, time: '', id: '1', timeline: [], ...given }) as unknown as RequestDetail; // prettier-ignore

test('groups by name and place, not by the numbers in the words', () => {
  const stack = 'RangeError\n    at node:internal/x\n    at stock (/app/stock.ts:3:7)';
  recorder.takeLine(failure('only 3 left', stack, { traceId: 'a' }), 'error');
  clock.at += 60_000;
  recorder.takeLine(failure('only 2 left', stack, { traceId: 'b' }), 'error');
  recorder.takeLine(failure('order 17 is closed'), 'error');
  recorder.takeLine(failure('order 18 is closed'), 'error');
  const { exceptions } = recorder.answer();
  expect(exceptions.map(({ message, place, count, trace_ids }) => [message, place, count, trace_ids])).toEqual([
    ['only 2 left', 'stock (/app/stock.ts:3:7)', 2, ['b', 'a']],
    ['order 18 is closed', '', 2, []],
  ]);
  expect(exceptions[0]?.per_minute.slice(-2)).toEqual([1, 1]);
});

test('takes no call without a place, such as one that Array.map makes, for the place of an error', () => {
  for (const line of [3, 9]) {
    const stack = `RangeError\n    at Array.map (<anonymous>)\n    at stock (/app/stock.ts:${line}:7)`;
    recorder.takeLine(failure('sold out', stack), 'error');
  }
  const { exceptions } = recorder.answer();
  expect(exceptions.map(({ place }) => place).sort()).toEqual([
    'stock (/app/stock.ts:3:7)',
    'stock (/app/stock.ts:9:7)',
  ]);
});

test('keeps at most two hundred groups of each kind and five traces of one, and counts what went', () => {
  for (let nth = 0; nth < 210; nth++) {
    recorder.takeLine(failure('x', `RangeError\n    at line (/app/a.ts:${nth}:1)`), 'error');
    recorder.takeResponse(answer({ route: `/things/${nth}` }));
  }
  for (let nth = 0; nth < 9; nth++) recorder.takeLine(failure('y', '', { traceId: `trace ${nth}` }), 'error');
  const { exceptions, responses, dropped } = recorder.answer();
  // A full map lets an eighth go at once.
  expect([exceptions.length, responses.length, dropped]).toEqual([186, 185, 50]);
  expect(exceptions.length + responses.length + dropped).toBe(2 * 210 + 1);
  expect(exceptions.find(({ message }) => message === 'y')?.trace_ids).toEqual(['trace 8', 'trace 7', 'trace 6', 'trace 5', 'trace 4']); // prettier-ignore
});

test('masks secrets in words and stack, and cuts both', () => {
  const words = `password=hunter2 ${'x'.repeat(9_000)}`;
  recorder.takeLine(failure(words, `RangeError: ${words}\n    at a (b.ts:1:1)`), 'error');
  const [group] = recorder.answer().exceptions;
  expect(group).toMatchObject({ message: expect.stringMatching(/^password=\*\*\* x+$/) });
  expect([group?.message.length, group?.stack.length]).toEqual([1_000, 6_000]);
  expect(JSON.stringify(group)).not.toContain('hunter2');
});

test('counts failed answers by route and status, newest first', () => {
  recorder.takeResponse(answer({ status: 404, time: '2026-01-01', id: '1' }));
  recorder.takeResponse(answer({ status: 500, time: '2026-01-02', id: '2' }));
  recorder.takeResponse(answer({ status: 404, time: '2026-01-03', id: '3' }));
  expect(recorder.answer().responses).toMatchObject([
    { status: 404, count: 2, first_seen: '2026-01-01', last_seen: '2026-01-03', last_request: '3' },
    { status: 500, count: 1 },
  ]);
});

test('ties a cause to the request that it failed, the line of the application, and the statement', () => {
  const line = failure('no price', 'RangeError\n    at node:internal/x\n    at price (/app/app/price.ts:8:7)');
  recorder.takeLine(line, 'panic');
  const request = answer({ id: '7', method: 'GET', path: '/orders/3', route: '/orders/:id', status: 500 });
  recorder.takeResponse(request, line.fields['err'], 'SELECT 1');
  const unlogged = new TypeError('nobody logged me');
  recorder.takeResponse(answer({ path: '/other', route: '' }), unlogged);
  const { exceptions } = recorder.answer();
  expect(exceptions).toMatchObject([
    { name: 'RangeError', at: 'app/price.ts:8', count: 1, routes: ['GET /orders/:id'], sample: { id: '7' }, last_statement: 'SELECT 1' }, // prettier-ignore
    { name: 'TypeError', message: 'nobody logged me', count: 1, routes: ['GET /other'] },
  ]);
});

test('shows the minutes of now, when the clock was set back by hours', () => {
  const [before, after] = [100 * 3_600_000, 97 * 3_600_000];
  const minutes = new PerMinute();
  for (let nth = 0; nth < 9; nth++) minutes.add(before);
  minutes.add(after);
  expect([minutes.counts(after).at(-1), minutes.counts(after + 60_000).slice(-2)]).toEqual([1, [1, 0]]);
});
