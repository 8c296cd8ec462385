import { HELD_OUT } from './held-out/corpus.js';
import { type Judgement, judge, tally } from './judge.js';
import type { Planted } from './planted.js';
import { TUNED } from './tuned/corpus.js';

/** The corpora by name: those that the rules were made with, and those that they were not. */
export const CORPORA: Readonly<Record<string, readonly Planted[]>> = { tuned: TUNED, 'held out': HELD_OUT };

/** Every planted failure with what was said about it, and the shares: what `npm run fleet:causes` prints. */
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
