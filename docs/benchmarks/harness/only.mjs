/**
 * Whether a part of a benchmark is asked for: without words all are, else those that have one of the words in their names.
 *
 * @param {readonly string[]} only
 * @param {string} part
 */
export function isWanted(only, part) {
  return only.length === 0 || only.some((word) => part.includes(word));
}

/**
 * Refuses a word that fits no part, before anything is built or measured: a run of nothing would look like a run without news.
 *
 * @param {{ readonly name: string, readonly parts?: readonly string[] }} bench
 * @param {readonly string[]} only
 */
export function refuseUnknownParts({ name, parts = [] }, only) {
  const unknown = only.filter((word) => word === '' || !parts.some((part) => isWanted([word], part)));
  if (unknown.length === 0) return;
  const there = parts.length > 0 ? `it has ${parts.join(', ')}` : 'it is measured as a whole';
  throw new RangeError(`--only ${unknown.join(',')} fits no part of ${name}; ${there}.`);
}
