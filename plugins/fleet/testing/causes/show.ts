import { HELD_OUT } from './held-out/corpus.js';
import { LATER } from './held-out/later.js';
import { RUNNING } from './held-out/running.js';
import { type Judgement, judge, tally } from './judge.js';
import type { Planted } from './planted.js';
import { REPORTED } from './reported/corpus.js';
import { TUNED } from './tuned/corpus.js';

/** The corpora by name: for tuning the rules, for testing them, and modelled on published incident reports. */
export const CORPORA: Readonly<Record<string, readonly Planted[]>> = {
  tuned: TUNED,
  'held out': HELD_OUT,
  later: LATER,
  running: RUNNING,
  reported: REPORTED,
};

/** Every planted failure with its verdict, and the summary: what `npm run fleet:causes` prints. */
export function causesTable(): string {
  return Object.entries(CORPORA)
    .map(([name, planted]) => {
      const judged = planted.map(judge);
      const { right, share, confidentlyWrong } = tally(judged);
      const lines = judged.map(lineOf);
      const sum = `${right} of ${judged.length} right (${(share * 100).toFixed(1)} %), ${confidentlyWrong} confidently wrong`;
      return [`${name}: ${sum}`, ...lines].join('\n');
    })
    .join('\n\n');
}

function lineOf({ name, isRight, isConfidentlyWrong, expected, said, confidence }: Judgement): string {
  const mark = isRight ? 'right' : isConfidentlyWrong ? 'WRONG' : 'wrong';
  const detail = isRight ? `${said}, ${confidence}` : `said ${said} (${confidence}), expected ${expected}`;
  return `  ${mark}  ${name}: ${detail}`;
}
