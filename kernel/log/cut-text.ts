/**
 * The beginning of a text, as a copy: in V8 a slice keeps the whole text that it was cut from, and what is kept for long was
 * often cut from what a client has sent.
 *
 * @param most - characters that are left
 */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : copiedText(text, most);
}

/** As {@link cutText}, a copy also where nothing is cut: the text itself may have been cut from a longer one. */
export function copiedText(text: string, most: number): string {
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}
