// Common characters of double width in a fixed-width font (Unicode Standard Annex 11, wide and fullwidth).
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that a text takes on a line. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  const letters = text.replace(/\p{Mn}/gu, '');
  return [...letters].length + (letters.match(WIDE)?.length ?? 0);
}
