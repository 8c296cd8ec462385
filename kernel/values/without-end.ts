/**
 * A text without those of its last characters that are among `characters`. `replace(/x+$/, '')` does the same, but in time that grows with the
 * square of a run of `x` within the text, which is tried from each of its characters.
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
