// A word, a number, blanks, a line break, or signs.
const PIECES = /\p{L}+|\p{N}{1,3}|\n\s*| +|[^\p{L}\p{N}\s]+/gu;

// Safety factor for words that cost more tokens than estimated.
const MARGIN = 1.08;

/**
 * Upper estimate of the tokens of a text. It uses no vocabulary, because that takes megabytes. A test checks for every section of the
 * documentation that the estimate is at least the count of o200k_base.
 */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += costOf(piece);
  return Math.ceil(tokens * MARGIN);
}

// Words of prose are mostly one token; `readOnly` and `FW_ORM` are several. A blank belongs to the word behind it.
function costOf(piece: string): number {
  const [first = ''] = piece;
  if (first === ' ') return piece.length > 1 ? 1 : 0;
  if (first === '\n') return 1;
  if (/\p{N}/u.test(first)) return 1;
  if (!/\p{L}/u.test(first)) return Math.ceil(piece.length / 2);
  const humps = piece.match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\p{L}/gu) ?? [];
  return humps.reduce((sum, hump) => sum + (hump.length <= 6 ? 1 : 1 + (hump.length - 6) / 6), 0);
}
