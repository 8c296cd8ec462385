const BACKSLASH = 92;

/**
 * Text that a pattern of `like` or `ilike` takes as it is: `%`, `_` and `\` in it stand for themselves.
 *
 * @example user.name.ilike(`${escapeLike(input)}%`)
 */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Whether a pattern ends in an escape with nothing behind it. */
export function endsInEscape(pattern: string): boolean {
  let end = pattern.length;
  while (pattern.charCodeAt(end - 1) === BACKSLASH) end--;
  return (pattern.length - end) % 2 === 1;
}
