import { Type } from 'typebox';
import { fwError } from '../errors/index.js';
import { CONFIG_ERRORS } from './errors.js';

/** A length of time: milliseconds as a number, or a number with a unit: `'500ms'`, `'10s'`, `'1m'`, `'2h'`, `'7d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const PATTERN = '^\\d+(\\.\\d+)?(ms|s|m|h|d)$';
const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Bounds of an option that is a {@link Duration}. */
interface DurationOption {
  readonly description: string;
  readonly default?: Duration;
  /** The shortest that makes sense; default 0. */
  readonly least?: Duration;
  /** The longest that makes sense; default any. For an option that becomes a timer at most {@link LONGEST_TIMER}. */
  readonly most?: Duration;
}

/** Longest {@link Duration} in whole days that a timer of Node waits. */
export const LONGEST_TIMER: Duration = '24d';

/** Schema of an option that is a {@link Duration}. */
export function DurationSchema({ least, most, ...annotations }: DurationOption) {
  const range = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  return Type.Unsafe<Duration>({
    ...annotations,
    ...(range.length > 0 && {
      duration: {
        range: range.join(' and '),
        ...(least !== undefined && { least: milliseconds(least) }),
        ...(most !== undefined && { most: milliseconds(most) }),
      },
    }),
    anyOf: [
      { type: 'number', minimum: 0 },
      { type: 'string', pattern: PATTERN },
    ],
  });
}

/**
 * Milliseconds of a duration.
 * @throws FwError `FW_CONFIG_DURATION` when the text is not a duration
 */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && duration >= 0) return duration;
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration));
  if (!parts) throw fwError(CONFIG_ERRORS.FW_CONFIG_DURATION, { value: String(duration) });
  return Number(parts[1]) * MILLISECONDS[parts[2] as keyof typeof MILLISECONDS];
}
