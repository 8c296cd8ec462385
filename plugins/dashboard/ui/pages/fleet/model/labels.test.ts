import { describe, expect, test } from '@jest/globals';
import { arcPair } from './arcs.js';
import { labelPlace, placeLabels } from './labels.js';

const arc = (y: number) => arcPair({ x: 0, y: 0 }, { x: 236, y }).request;
const label = (key: string, y: number, weight = 1) => ({ key, text: '12 · 34 ms', arc: arc(y), weight });

describe('labels of calls', () => {
  test('stand in the middle of their arc when there is room', () => {
    expect(placeLabels([label('a', 0)]).get('a')).toEqual(labelPlace(arc(0)));
  });

  test('move along the arc when another one stands there; the busier call keeps its place', () => {
    const places = placeLabels([label('quiet', 40), label('busy', 44, 9)]);
    expect(places.get('busy')).toEqual(labelPlace(arc(44)));
    const [one, other] = [places.get('busy'), places.get('quiet')] as { x: number; y: number }[];
    expect(one && other && (Math.abs(one.x - other.x) > 50 || Math.abs(one.y - other.y) >= 13)).toBe(true);
  });

  test('are left out when there is no room at all', () => {
    const labels = Array.from({ length: 12 }, (_, at) => label(`call ${at}`, 0, at));
    const places = placeLabels(labels);
    expect(places.has('call 11')).toBe(true);
    expect(places.size).toBeLessThan(4);
  });
});
