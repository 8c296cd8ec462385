/** `Did you mean "cors"? ` for a name that is at most two edits from a known one; empty otherwise. */
export function suggestion(name: string, known: readonly string[]): string {
  const [best] = known.map((each) => ({ each, far: distance(name, each) })).sort((a, b) => a.far - b.far);
  return best && best.far <= 2 ? `Did you mean "${best.each}"? ` : '';
}

/** Levenshtein's distance: letters to insert, leave out or exchange. */
export function distance(one: string, other: string): number {
  // Row by row.
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
