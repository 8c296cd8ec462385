import { beforeEach, expect, test } from '@jest/globals';
import type { DispatchRecord } from '../../../kernel/index.js';
import { EventRecorder } from './event-recorder.js';
import { HandClock } from './testing/hand-clock.js';
import { Timelines } from './timelines.js';

const clock = new HandClock();
let recorder: EventRecorder;
beforeEach(() => {
  recorder = new EventRecorder(new Timelines(clock));
});

const dispatch = (given: Partial<DispatchRecord> = {}): DispatchRecord => ({
  name: 'order.placed',
  at: clock.now(),
  durationMs: 2,
  called: 1,
  stopped: false,
  async: false,
  errors: [],
  ...given,
});

test('counts dispatches by name, the busiest first', () => {
  recorder.take(dispatch({ name: 'a' }));
  recorder.take(dispatch({ durationMs: 4, errors: ['it is closed'] }));
  recorder.take(dispatch());
  expect(recorder.names()).toMatchObject([
    { name: 'order.placed', count: 2, failed: 1, avg_ms: 3, max_ms: 4 },
    { name: 'a', count: 1, failed: 0 },
  ]);
});

test('knows at most three hundred names', () => {
  for (let nth = 0; nth < 320; nth++) recorder.take(dispatch({ name: `event.${nth}` }));
  // A full map lets an eighth go at once.
  expect(recorder.names()).toHaveLength(283);
});

test('never keeps a payload, and masks what the errors of listeners say', () => {
  const told: unknown[] = [];
  recorder.onRecord = (record) => void told.push(record);
  const error = `token=hunter2 ${'x'.repeat(1_000)}`;
  recorder.take(dispatch({ payload: { password: 'hunter2' }, errors: [error] }));
  expect(told).toEqual([
    expect.objectContaining({ failed: true, errors: [`token=*** ${'x'.repeat(1_000)}`.slice(0, 500)] }),
  ]);
  expect(JSON.stringify([told, recorder.names()])).not.toMatch(/hunter2|payload/);
});
