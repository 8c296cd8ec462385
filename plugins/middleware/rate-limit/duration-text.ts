const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/**
 * A duration in the words that the default message uses: `1m0s`, `500ms`, `1h0m0s`, `1.5s`.
 * @param milliseconds - not negative
 */
export function durationText(milliseconds: number): string {
  if (milliseconds === 0) return '0s';
  if (milliseconds < 1000) return `${milliseconds}ms`;
  let rest = milliseconds;
  let text = '';
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0 || text !== '') text += `${count}${unit}`;
  }
  return `${text}${rest / 1000}s`;
}
