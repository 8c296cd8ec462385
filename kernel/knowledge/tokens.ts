// A word, a number, blanks, a line break, or signs.
const PIECES = /\p{L}+|\p{N}{1,3}|\n\s*| +|[^\p{L}\p{N}\s]+/gu;

// What single words are off by.
const MARGIN = 1.08;

/**
 * Tokens that a text costs a model, from above: no vocabulary is asked, because one takes megabytes. A test holds it over every section
 * of the documentation to at least what o200k_base counts.
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
