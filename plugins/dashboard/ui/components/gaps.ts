/** A gap is at least this many usual steps long. */
const MISSING = 2.5;

/** Lines over time, as a chart takes them. */
export interface Lines {
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[];
  /** null interrupts a line, undefined does not. */
  readonly values: readonly (readonly (number | null | undefined)[])[];
}

/**
 * Inserts a time without values into every gap in the measurements, so that no line is drawn across it.
 *
 * @param isBridged - whether a line goes on over what was measured without a value: seconds without a request have no latency
 */
export function withGaps({ times, values: measured }: Lines, isBridged = false): Lines {
  const values = isBridged ? measured.map((line) => line.map((value) => value ?? undefined)) : measured;
  const steps = times.slice(1).map((time, at) => time - (times[at] as number));
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  const holes = steps.flatMap((step, at) => (usual > 0 && step > usual * MISSING ? [at] : []));
  if (holes.length === 0) return { times, values };
  const filled = <Value>(list: readonly Value[], between: (at: number) => Value) =>
    list.flatMap((each, at) => (holes.includes(at) ? [each, between(at)] : [each]));
  return {
    times: filled(times, (at) => (times[at] as number) + usual),
    values: values.map((line) => filled<number | null | undefined>(line, () => null)),
  };
}
