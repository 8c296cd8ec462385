import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

interface Row {
  readonly what: string;
  readonly tests: readonly string[];
  readonly tried: number;
  readonly failures: number;
  readonly lost: number;
  readonly notRun: number;
  readonly plain?: number;
}
interface Run {
  readonly rows: readonly Row[];
  readonly seconds: number;
  readonly cases: number;
  readonly seeds?: readonly number[];
}

const { together } = (await import(
  pathToFileURL(path.resolve(import.meta.dirname, '../../docs/trust/page.mjs')).href
)) as { together(before: Run, run: Run): Run };

const row = (what: string, tried: number, plain?: number): Row => ({
  ...{ what, tests: [`${what}.test.ts`], tried, failures: 0, lost: 0, notRun: 0 },
  ...(plain !== undefined && { plain }),
});

test('runs with other seeds add up, and what tries the same in each run counts once', () => {
  const first = { rows: [row('targets', 27_942), row('bodies', 9_000, 4)], seconds: 240, cases: 3_000 };
  const second = { rows: [{ ...row('bodies', 900_004, 4), failures: 1 }], seconds: 600, cases: 300_000, seeds: [7] };
  const third = { rows: [row('bodies', 90_004, 4), row('frames', 10)], seconds: 60, cases: 30_000, seeds: [8] };
  const all = together(together(first, second), third);
  expect(all).toMatchObject({ seconds: 900, cases: 300_000, seeds: [7, 8] });
  expect(all.rows.map(({ what, tried, failures }) => [what, tried, failures])).toEqual([
    ['targets', 27_942, 0],
    ['bodies', 999_000, 1],
    ['frames', 10, 0],
  ]);
});
