import { beforeEach, expect, test } from '@jest/globals';
import { HandClock } from './testing/hand-clock.js';
import { QueryRecorder } from './query-recorder.js';
import { Timelines } from './timelines.js';

const MS = 1_000_000n;
const clock = new HandClock();
let recorder: QueryRecorder;
beforeEach(() => {
  recorder = new QueryRecorder({ maxQueries: 3, slowMs: 100 }, clock, new Timelines(clock));
});

test('keeps the newest statements, and numbers of every one', () => {
  for (let id = 1; id <= 5; id++) recorder.afterExecute({ model: 'Product' }, `SELECT ${id}`, 2n * MS, undefined);
  expect(recorder.recent.newest(10).map(({ sql }) => sql)).toEqual(['SELECT 5', 'SELECT 4', 'SELECT 3']);
  expect(recorder.recent.dropped).toBe(2);
  expect(recorder.totals()).toEqual({ statements: 5, slow: 0, errors: 0 });
  expect(recorder.statements()).toHaveLength(5);
});

test('knows at most five hundred texts', () => {
  for (let id = 0; id < 600; id++) recorder.afterExecute({}, `SELECT ${id}`, MS, undefined);
  // A full map lets an eighth go at once.
  expect([recorder.statements().length, recorder.dropped]).toEqual([476, 124]);
});

test('counts the same text together, the one that cost most first, and tells slow and failed ones', () => {
  recorder.afterExecute({}, 'SELECT 1', 40n * MS, undefined);
  recorder.afterExecute({}, 'SELECT 2', 100n * MS, undefined);
  recorder.afterExecute({}, 'SELECT 1', 20n * MS, new RangeError("value 'hunter2' is too long"));
  expect(recorder.statements()).toMatchObject([
    { sql: 'SELECT 2', count: 1, slow: 1, errors: 0, total_ms: 100 },
    { sql: 'SELECT 1', count: 2, slow: 0, errors: 1, total_ms: 60, avg_ms: 30, max_ms: 40 },
  ]);
  expect(recorder.recent.newest(1)).toMatchObject([{ sql: 'SELECT 1', slow: false, error: 'RangeError' }]);
});

test('keeps neither values nor the words of an error, only the text with its placeholders', () => {
  const context = { model: 'User', values: ['hunter2'], parameters: { password: 'hunter2' } };
  recorder.afterExecute(context, 'SELECT * FROM users WHERE password = ?', MS, new Error("no such user 'hunter2'"));
  expect(JSON.stringify([recorder.recent.newest(10), recorder.statements()])).not.toContain('hunter2');
});

test('cuts a text of unusual length and says how long it was', () => {
  recorder.afterExecute({}, 'x'.repeat(10_000), MS, undefined);
  expect(recorder.statements()[0]?.sql).toBe(`${'x'.repeat(4_000)} … (10000 characters)`);
});

test('tells about each statement only while somebody looks', () => {
  const told: string[] = [];
  recorder.onRecord = ({ sql }) => void told.push(sql);
  recorder.afterExecute({}, 'SELECT 1', MS, undefined);
  recorder.hasViewers = () => true;
  recorder.afterExecute({}, 'SELECT 2', MS, undefined);
  expect(told).toEqual(['SELECT 2']);
});
