import { describe, expect, test } from '@jest/globals';
import { masked } from './log-recorder.js';
import { LoginThrottle } from '../access/login-throttle.js';
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

describe('masked', () => {
  test.each([
    ['token=abc next', 'token=*** next'],
    ['{"password":"a b"}', '{"password":***}'],
    ['Authorization: Bearer abc', 'Authorization: ***'],
    ['x-api-key: k1, other=1', 'x-api-key: ***, other=1'],
    ['nothing to hide', 'nothing to hide'],
  ])('%p becomes %p', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe('LoginThrottle', () => {
  test('blocks the whole /64 of an IPv6 address, and lets it try again later', () => {
    let now = 1;
    const throttle = new LoginThrottle({ now: () => now, monotonic: () => now });
    for (let tries = 0; tries < 8; tries++) throttle.failed(`2001:db8::${tries + 1}`);
    expect(throttle.blockedFor('2001:db8:0:0:ffff::1')).toBe(900);
    expect(throttle.blockedFor('2001:db8:0:1::1')).toBe(0);
    now += 15 * 60_000;
    expect(throttle.blockedFor('2001:db8::1')).toBe(0);
    throttle.failed('2001:db8::1');
    expect(throttle.blockedFor('2001:db8::1')).toBe(0);
  });
});
