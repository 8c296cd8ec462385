import { describe, expect, test } from '@jest/globals';
import { Ring } from './ring.js';

describe('Ring', () => {
  test('keeps the newest and counts what it drops', () => {
    const ring = new Ring<number>(3);
    for (let item = 1; item <= 5; item++) ring.push(item);
    expect([ring.size, ring.dropped]).toEqual([3, 2]);
    expect(ring.newest(10)).toEqual([5, 4, 3]);
    expect(ring.newest(1, (item) => item < 5)).toEqual([4]);
  });
});
