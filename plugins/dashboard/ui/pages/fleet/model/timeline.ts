import type { SpanView } from './spans.js';

/** How long a trace plays at speed 1, in milliseconds, and the least that each of its moments gets. */
const PLAY_MS = 6_000;
const MOMENT_MS = 160;
/** The least moments of all together, so that a trace of hundreds of spans ends some time. */
const MOMENTS_MS = 9_000;
/** How long a pulse travels along an arc. */
export const PULSE_MS = 450;

/**
 * Maps the time of a trace to the time of its playback. Traces last milliseconds and people need seconds; and a hop of one
 * millisecond beside one of a second has to be seen too: every stretch between two beginnings or ends of spans gets its share
 * of the playback, but never less than a moment.
 */
export interface PlayTimeline {
  /** Length of the playback in milliseconds. */
  readonly length: number;
  /** Moments at which a span begins or ends, in milliseconds of the trace; sorted, each once. */
  readonly moments: readonly number[];
  /** @param played - milliseconds of the playback @returns milliseconds of the trace */
  traceTime(played: number): number;
  /** @param at - milliseconds of the trace @returns milliseconds of the playback */
  playTime(at: number): number;
}

export function playTimeline(spans: readonly Pick<SpanView, 'start' | 'end'>[]): PlayTimeline {
  const moments = [...new Set([0, ...spans.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const played = playedAt(moments);
  // The last answer still has to travel.
  const length = (played.at(-1) as number) + PULSE_MS;
  return {
    length,
    moments,
    traceTime: (at) => interpolate(played, moments, at),
    playTime: (at) => interpolate(moments, played, at),
  };
}

function playedAt(moments: readonly number[]): readonly number[] {
  const duration = moments.at(-1) as number;
  const least = Math.min(MOMENT_MS, MOMENTS_MS / Math.max(1, moments.length - 1));
  const played = [0];
  for (let at = 1; at < moments.length; at++) {
    const share = ((moments[at] as number) - (moments[at - 1] as number)) / duration;
    played.push((played[at - 1] as number) + Math.max(least, share * PLAY_MS));
  }
  return played;
}

function interpolate(from: readonly number[], to: readonly number[], value: number): number {
  let low = 0;
  let high = from.length - 1;
  if (value >= (from[high] as number)) return to[high] as number;
  if (value <= 0) return 0;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((from[middle] as number) <= value) low = middle;
    else high = middle;
  }
  const share = (value - (from[low] as number)) / ((from[high] as number) - (from[low] as number));
  return (to[low] as number) + share * ((to[high] as number) - (to[low] as number));
}
