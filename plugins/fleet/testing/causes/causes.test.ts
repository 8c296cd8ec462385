import { afterAll, describe, expect, test } from '@jest/globals';
import { judge, tally } from './judge.js';
import { causesTable, CORPORA } from './show.js';

/** Share of a corpus that has to be right; and nothing may be wrong and said to be certain. */
const LEAST = 0.95;

// `npm run fleet:causes`
afterAll(() => {
  if (process.env['FW_PRINT_CAUSES'] === '1') process.stdout.write(`\n${causesTable()}\n`);
});

describe('the root cause of planted failures', () => {
  test('is planted often enough, and no two alike', () => {
    const all = Object.values(CORPORA).flat();
    expect(all.length).toBeGreaterThanOrEqual(120);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(new Set(all.map(({ happened }) => happened.replace(/\s+/g, ' '))).size).toBe(all.length);
  });

  test.each(Object.keys(CORPORA))(
    '%s: nineteen of twenty right, none confidently wrong [FLEET-ANALYSIS-ROOT-CAUSE-01]',
    (name) => {
      const judged = (CORPORA[name] ?? []).map(judge);
      const wrong = judged.filter(({ isRight }) => !isRight);
      expect(judged.filter(({ isConfidentlyWrong }) => isConfidentlyWrong)).toEqual([]);
      expect([tally(judged).share >= LEAST, wrong]).toEqual([true, wrong]);
    },
  );
});
