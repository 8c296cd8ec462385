import { describe, expect, test } from '@jest/globals';
import { advance, playOrPause, seek, SHOWN, step } from './playback.js';
import { playTimeline, PULSE_MS } from './timeline.js';

// A second, with a hop of one millisecond in its middle.
const timeline = playTimeline([{ start: 0, end: 1000 }, { start: 500, end: 501 }]); // prettier-ignore

describe('the timeline of a playback', () => {
  test('gives a hop of one millisecond a moment that can be seen', () => {
    expect(timeline.playTime(501) - timeline.playTime(500)).toBeCloseTo(160);
    expect(timeline.playTime(500)).toBeCloseTo(3000);
    expect(timeline.length).toBeCloseTo(3000 + 160 + 2994 + PULSE_MS);
  });

  test('goes there and back without loss, and stays within its ends', () => {
    for (const at of [0, 1, 499.5, 500.25, 777, 1000]) {
      expect(timeline.traceTime(timeline.playTime(at))).toBeCloseTo(at);
    }
    expect(timeline.traceTime(-5)).toBe(0);
    expect(timeline.traceTime(1e9)).toBe(1000);
  });

  test('of hundreds of spans does not take minutes', () => {
    const many = Array.from({ length: 512 }, (_, n) => ({ start: n, end: n + 0.5 }));
    expect(playTimeline(many).length).toBeLessThan(16_000);
  });

  test('of nothing is a single moment', () => {
    expect(playTimeline([])).toMatchObject({ length: PULSE_MS, moments: [0] });
    expect(playTimeline([{ start: 0, end: 0 }]).traceTime(3)).toBe(0);
  });
});

describe('a playback', () => {
  test('starts at the beginning, pauses where it is, and starts over at the end', () => {
    const playing = playOrPause(SHOWN, timeline);
    expect(playing).toEqual({ playing: true, at: 0, speed: 1 });
    const later = advance(playing, timeline, 250);
    expect(later.at).toBe(250);
    expect(playOrPause(later, timeline)).toEqual({ ...later, playing: false });
    const over = advance(later, timeline, 1e6);
    expect(over).toEqual({ playing: false, at: timeline.length, speed: 1 });
    expect(playOrPause(over, timeline).at).toBe(0);
  });

  test('one press of play walks the whole trace', () => {
    let state = playOrPause(SHOWN, timeline);
    let frames = 0;
    for (; state.playing; frames++) state = advance(state, timeline, 16);
    expect(state.at).toBe(timeline.length);
    expect(frames).toBe(Math.ceil(timeline.length / 16));
  });

  test('is as fast as it was told', () => {
    expect(advance({ playing: true, at: 100, speed: 0.25 }, timeline, 100).at).toBe(125);
    expect(advance({ playing: true, at: 100, speed: 4 }, timeline, 100).at).toBe(500);
  });

  test('does not move while it is paused', () => {
    const paused = seek(SHOWN, timeline, 40);
    expect(advance(paused, timeline, 100)).toBe(paused);
  });

  test('steps from moment to moment and stops at both ends', () => {
    const stops: number[] = [];
    let state = SHOWN;
    for (let n = 0; n < 6; n++)
      stops.push(Math.round(timeline.traceTime((state = step(state, timeline, 1)).at as number)));
    expect(stops).toEqual([0, 500, 501, 1000, 1000, 1000]);
    expect(state.at).toBe(timeline.length);
    const back: number[] = [];
    for (let n = 0; n < 5; n++)
      back.push(Math.round(timeline.traceTime((state = step(state, timeline, -1)).at as number)));
    expect(back).toEqual([1000, 501, 500, 0, 0]);
  });

  test('can be put anywhere within its ends, and then stands', () => {
    expect(seek({ playing: true, at: 5, speed: 2 }, timeline, -4)).toEqual({ playing: false, at: 0, speed: 2 });
    expect(seek(SHOWN, timeline, 1e9).at).toBe(timeline.length);
  });
});
