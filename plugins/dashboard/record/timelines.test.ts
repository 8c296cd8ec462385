import { expect, test } from '@jest/globals';
import { enableRequestContext, runInRequestContext } from '../../../kernel/context/index.js';
import type { TimelineStep } from '../wire/api.js';
import { HandClock } from './testing/hand-clock.js';
import { Timelines } from './timelines.js';

const clock = new HandClock();
const step = (name: string): Omit<TimelineStep, 'at_ms'> => ({ kind: 'query', name, duration_ms: 2, failed: false });

test('knows nothing outside a request', () => {
  const timelines = new Timelines(clock);
  timelines.note(step('SELECT 1'));
  expect(timelines.ofCurrent(clock.now())).toEqual({ steps: [], dropped: 0 });
});

test('keeps the steps of each request apart, from its beginning on, and at most 256 of one', () => {
  enableRequestContext();
  const timelines = new Timelines(clock);
  const from = clock.now();
  const context = (requestId: string) => ({ requestId, signal: new AbortController().signal });
  const [one, other] = [context('1'), context('2')];
  clock.at += 10;
  runInRequestContext(one, () => timelines.note(step('x'.repeat(900))));
  runInRequestContext(other, () => {
    for (let nth = 0; nth < 260; nth++) timelines.note(step(`SELECT ${nth}`));
    expect(timelines.ofCurrent(from)).toMatchObject({ steps: { length: 256 }, dropped: 4 });
  });
  runInRequestContext(one, () => {
    expect(timelines.ofCurrent(from).steps).toEqual([{ ...step('x'.repeat(500)), at_ms: 8 }]);
  });
});

test('tells a statement that a request ran for each of many rows, and which models it had read before', () => {
  enableRequestContext();
  const timelines = new Timelines(clock);
  const query = (name: string, model: string) => timelines.note({ ...step(name), model });
  runInRequestContext({ requestId: '1', signal: new AbortController().signal }, () => {
    expect(timelines.statementsOfCurrent()).toBeUndefined();
    query('SELECT customers', 'Customer');
    for (let nth = 0; nth < 4; nth++) query('SELECT invoices', 'Invoice');
    expect(timelines.statementsOfCurrent()).toMatchObject({ count: 5, repeated: undefined });
    query('SELECT invoices', 'Invoice');
    expect(timelines.statementsOfCurrent()).toMatchObject({
      count: 6,
      slowest: { ms: 2 },
      repeated: { sql: 'SELECT invoices', model: 'Invoice', after: ['Customer'], times: 5 },
    });
  });
});
