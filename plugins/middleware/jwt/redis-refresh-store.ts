import type { RedisScripts } from '../../../kernel/index.js';
import type { RefreshStore, Rotation } from './refresh-store.js';
import { systemClock } from '../../../kernel/contracts/clock.js';

// Scripts that are one atomic step on the server; all instances use the server's clock.
const BEGIN = `
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'current', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`;
const ROTATE = `
local current = redis.call('HGET', KEYS[1], 'current')
if not current then return { 'unknown' } end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if current == ARGV[1] then
  redis.call('HSET', KEYS[1], 'current', ARGV[2], 'previous', ARGV[1], 'used', now, 'access', ARGV[3])
  return { 'successor', ARGV[2], ARGV[3] }
end
local last = redis.call('HMGET', KEYS[1], 'previous', 'used', 'access')
local age = last[2] and now - tonumber(last[2]) or -1
if last[1] == ARGV[1] and age >= 0 and age < tonumber(ARGV[4]) then return { 'successor', current, last[3] } end
redis.call('DEL', KEYS[1])
return { 'reused' }
`;
const REVOKE = `return redis.call('DEL', KEYS[1])`;

/**
 * A store in Redis, shared by several instances and kept over restarts. A family ends with its key: when its tokens have expired, when
 * Redis evicts it, or when Redis is flushed; then its tokens are refused. Give Redis enough memory, or an eviction policy that spares these
 * keys (https://redis.io/docs/latest/develop/reference/eviction/).
 *
 * @param client - an ioredis client; give it a `commandTimeout`, or a Redis that hangs makes requests wait
 * @param prefix - of the keys; default `fw:jwt:refresh:`
 * @param now - milliseconds since the epoch
 */
export function redisRefreshStore(
  client: RedisScripts,
  prefix = 'fw:jwt:refresh:',
  now: () => number = systemClock.now,
): RefreshStore {
  return {
    async begin(family, id, endsAt): Promise<void> {
      // As a duration, so that the clock of Redis may differ.
      const left = Math.ceil(endsAt * 1000 - now());
      if (left > 0) await client.eval(BEGIN, 1, prefix + family, id, left);
    },
    async rotate({ family, id, successor, leewayMs }): Promise<Rotation> {
      const args = [id, successor.id, successor.accessEnds, leewayMs];
      const [state, next, accessEnds] = (await client.eval(ROTATE, 1, prefix + family, ...args)) as string[];
      if (state === 'successor') return { successor: { id: next as string, accessEnds: Number(accessEnds) } };
      return { refused: state === 'reused' ? 'reused' : 'unknown' };
    },
    async revoke(family): Promise<boolean> {
      return (await client.eval(REVOKE, 1, prefix + family)) === 1;
    },
    detail: () => ({ refresh_store: 'redis', refresh_key_prefix: prefix }),
  };
}
