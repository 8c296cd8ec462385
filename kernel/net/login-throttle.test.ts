import { describe, expect, test } from '@jest/globals';
import { LoginThrottle } from './login-throttle.js';

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

  test('knows at most ten thousand addresses, frees none that is blocked, and counts those it cannot follow', () => {
    const throttle = new LoginThrottle({ now: () => 1, monotonic: () => 1 });
    const address = (nth: number) => `10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`;
    throttle.failed('192.0.2.1');
    for (let nth = 0; nth < 10_000; nth++) for (let tries = 0; tries < 8; tries++) throttle.failed(address(nth));
    expect(throttle.stats()).toEqual({ peers: 10_000, max_peers: 10_000, forgotten: 1, untracked: 0 });
    for (let nth = 0; nth < 5; nth++) throttle.failed('192.0.2.2');
    expect(throttle.stats()).toEqual({ peers: 10_000, max_peers: 10_000, forgotten: 1, untracked: 5 });
    expect([throttle.blockedFor(address(0)), throttle.blockedFor('192.0.2.2')]).toEqual([900, 0]);
  });
});
