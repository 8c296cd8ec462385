import { Type } from 'typebox';
import { type Duration, DurationSchema, type HttpContext, withDefault } from '../../../kernel/index.js';
import { RedisOption } from '../../../kernel/redis/index.js';
import type { RateLimitStore } from './fixed-window.js';

/** Options of {@link newRateLimiter} (SPEC "RateLimiterOptions"); those after `message` are ours. */
export interface RateLimiterOptions {
  /** Requests allowed per window; default 0, which blocks everything. */
  readonly requests?: number;
  /** Length of the window; default 0, which blocks everything. */
  readonly per?: Duration;
  /** Body of the 429 response; default `Rate limit exceeded: max <N> requests per <D>`. */
  readonly message?: string;
  /**
   * Key of a client, or a promise of it; default its IP address, which is also used when this returns no text or throws: requests without a
   * key must not share one limit.
   */
  readonly key?: (context: HttpContext) => string | undefined | Promise<string | undefined>;
  /** Leading bits of an IPv6 address that count; default 128, the whole address. */
  readonly ipv6Prefix?: number;
  /** Proxies whose X-Forwarded-For is trusted; default none. With the http plugin, that plugin's option is used. */
  readonly trustedProxies?: readonly string[];
  /** Where windows are kept; default the memory of this process. */
  readonly store?: RateLimitStore;
  /** Most clients tracked in memory; default 100 000. */
  readonly maxClients?: number;
  /** Whether a request passes (`allow`) or is refused when the store fails; default `allow`. */
  readonly onStoreError?: 'allow' | 'block';
  /** Whether every response carries RateLimit-Limit, -Remaining and -Reset; default false. */
  readonly headers?: boolean;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number;
}

export const rateLimitOptionsSchema = Type.Object({
  requests: withDefault(
    Type.Integer({ description: 'Requests allowed per window; 0 blocks everything', minimum: 0 }),
    0,
  ),
  per: withDefault(DurationSchema({ description: 'Length of the window; 0 blocks everything' }), 0),
  message: Type.Optional(Type.String({ description: 'Body of the 429 response' })),
  ipv6Prefix: withDefault(
    Type.Integer({ description: 'Leading bits of an IPv6 address that count', minimum: 1, maximum: 128 }),
    128,
  ),
  maxClients: withDefault(Type.Integer({ description: 'Most clients tracked in memory', minimum: 1 }), 100_000),
  onStoreError: withDefault(
    Type.Union([Type.Literal('allow'), Type.Literal('block')], { description: 'What happens while Redis is away' }),
    'allow',
  ),
  headers: withDefault(Type.Boolean({ description: 'Whether every response carries the RateLimit-* headers' }), false),
  redis: RedisOption('fw:ratelimit:', 'Keeps the windows in Redis, so that several instances share one limit'),
});
