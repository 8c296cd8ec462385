import { describe, expect, test } from '@jest/globals';
import { BoundedMap, CollectedBytes, Ring } from './index.js';

describe('BoundedMap', () => {
  test('keeps as many as it may, makes each once, and counts those that went', () => {
    const map = new BoundedMap<string, string>(2);
    for (const key of ['a', 'b', 'a', 'b']) map.use(key, () => `${key} of ${map.size}`);
    expect([map.values(), map.stats()]).toEqual([
      ['a of 0', 'b of 1'],
      { size: 2, capacity: 2, hits: 2, misses: 2, evicted: 0 },
    ]);
    map.use('c', () => 'c');
    expect([map.values(), map.evicted]).toEqual([['b of 1', 'c'], 1]);
  });

  test('lets an eighth go that was not used for longest, with its cleanup', () => {
    const gone: number[] = [];
    const map = new BoundedMap<number, number>(16, { onEvict: (value) => gone.push(value) });
    for (let key = 0; key < 16; key++) map.set(key, key);
    for (const key of [0, 1]) map.get(key);
    // Not a further entry.
    map.set(2, 2);
    map.set(16, 16);
    expect([gone, map.size, map.evicted]).toEqual([[3, 4], 15, 2]);
    map.resize(8);
    expect([map.size, map.evicted]).toEqual([8, 9]);
  });

  test('does not grow with a million keys, and accounts for each', () => {
    const map = new BoundedMap<number, number>(1_000);
    for (let key = 0; key < 1_000_000; key++) map.set(key, key);
    expect(map.size).toBeLessThanOrEqual(1_000);
    expect(map.size + map.evicted).toBe(1_000_000);
  });

  test('removes what fits a test, and counts it apart', () => {
    const map = new BoundedMap<string, number>(4);
    for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
    expect(map.removeIf((value) => value > 0)).toBe(2);
    expect([[...map.entries()], map.evicted]).toEqual([[['a', 0]], 0]);
  });
});

describe('Ring', () => {
  test('keeps the newest and counts what it drops', () => {
    const ring = new Ring<number>(3);
    expect([1, 2, 3, 4, 5].map((item) => ring.push(item))).toEqual([false, false, false, true, true]);
    expect([ring.size, ring.dropped]).toEqual([3, 2]);
    expect(ring.newest(10)).toEqual([5, 4, 3]);
    expect(ring.newest(1, (item) => item < 5)).toEqual([4]);
  });

  test('gives its items out, oldest first', () => {
    const ring = new Ring<number>(4);
    for (let item = 1; item <= 6; item++) ring.push(item);
    expect(ring.dropOldest()).toBe(true);
    expect(ring.drain(2)).toEqual([4, 5]);
    ring.push(7);
    expect([ring.newest(), ring.dropped]).toEqual([[7, 6], 3]);
    expect(ring.drain(9)).toEqual([6, 7]);
    expect(ring.dropOldest()).toBe(false);
  });

  test('keeps nothing without room', () => {
    const ring = new Ring<number>(0);
    expect(ring.push(1)).toBe(true);
    expect([ring.size, ring.dropped, ring.newest(), ring.drain(1)]).toEqual([0, 1, [], []]);
  });
});

describe('CollectedBytes', () => {
  const sizes = [0, 1, 63, 1_000, 70_000];

  test.each([
    ['few', sizes.map((size) => Buffer.alloc(size, size))],
    ['many', Array.from({ length: 300 }, (_, at) => Buffer.alloc(sizes[at % sizes.length] as number, at))],
    ['none', []],
  ])('gives %s chunks back in their order', (_, chunks) => {
    const collected = new CollectedBytes();
    for (const chunk of chunks) collected.add(chunk);
    const whole = Buffer.concat(chunks);
    expect(collected.size).toBe(whole.length);
    expect(collected.take().equals(whole)).toBe(true);
    expect([collected.size, collected.take().length]).toEqual([0, 0]);
  });

  test('holds a million chunks of one byte in little more than a million bytes', () => {
    const collected = new CollectedBytes();
    // Each chunk is a view of its own, as a parser cuts them out of what the network gave it.
    const read = Buffer.alloc(64 * 1024, 'x');
    const before = process.memoryUsage();
    for (let at = 0; at < 1_000_000; at++) collected.add(read.subarray(at % read.length, (at % read.length) + 1));
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(4_000_000);
    expect(collected.take().length).toBe(1_000_000);
  });
});
