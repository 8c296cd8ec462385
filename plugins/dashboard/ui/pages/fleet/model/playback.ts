import type { PlayTimeline } from './timeline.js';

/** Speeds that can be chosen. */
export const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

/** Where a playback stands. */
export interface Playback {
  readonly playing: boolean;
  /** Milliseconds of the playback; undefined while the trace is just shown, as it ended. */
  readonly at: number | undefined;
  readonly speed: number;
}

export const SHOWN: Playback = { playing: false, at: undefined, speed: 1 };

/** Starts or pauses; at the end it starts over. */
export function playOrPause(state: Playback, { length }: PlayTimeline): Playback {
  if (state.playing) return { ...state, playing: false };
  return { ...state, playing: true, at: state.at === undefined || state.at >= length ? 0 : state.at };
}

/** Moves on by some milliseconds of the clock on the wall; stops at the end. */
export function advance(state: Playback, { length }: PlayTimeline, elapsed: number): Playback {
  if (!state.playing || state.at === undefined) return state;
  const at = Math.min(length, state.at + Math.max(0, elapsed) * state.speed);
  return { ...state, at, playing: at < length };
}

/** Goes to a place and stays there. */
export function seek(state: Playback, { length }: PlayTimeline, at: number): Playback {
  return { ...state, playing: false, at: Math.min(length, Math.max(0, at)) };
}

/** Goes to the next or the previous moment at which a span begins or ends, and stays there. */
export function step(state: Playback, timeline: PlayTimeline, direction: 1 | -1): Playback {
  const now = state.at ?? (direction > 0 ? -1 : timeline.length + 1);
  const stops = timeline.moments.map((moment) => timeline.playTime(moment));
  // Half a millisecond of play: what a rounded slider makes of a moment is still that moment.
  const next =
    direction > 0
      ? (stops.find((stop) => stop > now + 0.5) ?? timeline.length)
      : (stops.findLast((stop) => stop < now - 0.5) ?? 0);
  return seek(state, timeline, next);
}
