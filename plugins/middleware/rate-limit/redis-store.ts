import type { RedisScripts } from '../../../kernel/index.js';
import type { RateLimitStore, WindowState } from './fixed-window.js';

// One round trip and one atomic step, so that two instances cannot both begin a window.
const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }
`;

/**
 * Windows in Redis, so that several instances share one limit.
 *
 * @param client - an ioredis client; give it a `commandTimeout`, or a Redis that hangs makes requests wait
 * @param prefix - of the keys; default `fw:ratelimit:`
 */
export function redisRateLimitStore(client: RedisScripts, prefix = 'fw:ratelimit:'): RateLimitStore {
  return {
    async hit(key, windowMs, now): Promise<WindowState> {
      const [count, leftMs] = (await client.eval(COUNT, 1, prefix + key, Math.ceil(windowMs))) as [number, number];
      return { count, endsAt: now + Math.max(0, leftMs) };
    },
    detail: () => ({ store: 'redis', key_prefix: prefix }),
  };
}
