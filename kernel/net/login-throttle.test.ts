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
});
