/**
 * Copies the beginning of a text: in V8 a slice keeps the whole original in memory, and texts that are kept for long are often slices of a
 * request.
 *
 * @param most - characters that are left
 */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : copiedText(text, most);
}

/** Like {@link cutText}, but also copies a text that is short enough: it may be a slice of a longer one. */
export function copiedText(text: string, most: number): string {
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}
