/**
 * Milliseconds of processor time that work takes. Not the time of a clock: a machine on which much else runs stands still for seconds,
 * and a test of how cost grows would fail by it.
 */
export function processorMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** More than linear work on the texts of tests takes anywhere, and far less than what grows with the square of their length. */
export const MOST_LINEAR_MS = 5_000;
