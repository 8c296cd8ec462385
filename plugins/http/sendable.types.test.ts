import { expect, test } from '@jest/globals';
import type { Temporal } from 'temporal-polyfill';
import type { Sendable } from '../../kernel/index.js';

interface Answer {
  readonly day: string;
  readonly times: readonly string[];
  readonly count: number;
}

test('a handler may return values of Temporal for texts, and for nothing else', () => {
  const sent = (day: Temporal.PlainDate, at: Temporal.ZonedDateTime): Sendable<Answer> => ({
    day,
    times: [at],
    count: 1,
  });
  // @ts-expect-error a span is no number
  const wrong = (count: Temporal.Duration): Sendable<Answer> => ({ day: '', times: [], count });
  expect([sent, wrong]).toHaveLength(2);
});
