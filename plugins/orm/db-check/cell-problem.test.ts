import { expect, test } from '@jest/globals';
import { db, modelInfoOf, table } from '../core/index.js';
import { cellVerdict } from './cell-problem.js';

@table('moments')
class Moment {
  @db('at,pk,type=date') at!: Date;
}

test('a moment is finer than a millisecond when it has microseconds, before 1970 and at its begin too', () => {
  const column = modelInfoOf(Moment).column('at');
  const isFiner = (milliseconds: number, text: string) =>
    cellVerdict(column, new Date(milliseconds), text).note !== undefined;
  expect([isFiner(0, '0'), isFiner(-1500, '-1500000'), isFiner(7, '7000')]).toEqual([false, false, false]);
  expect([isFiner(0, '1'), isFiner(-1, '-1')]).toEqual([true, true]);
});
