import { type Logger, RedisConnection, token } from '../../../kernel/index.js';
import type { JWTOptions } from './options.js';
import { redisRefreshStore } from './redis-refresh-store.js';
import type { RefreshStore } from './refresh-store.js';
import { removeRefreshStore } from './refresh-stores.js';

/** The plugin's store of refresh tokens, with its start and stop. */
export interface Refreshing {
  /** Undefined for the memory store, which the middleware makes. */
  readonly store: RefreshStore | undefined;
  open(): Promise<void> | void;
  close(): void;
}
export const Refreshing = token<Refreshing>('fw.middleware.jwt.refreshing');

const IN_MEMORY =
  'Refresh tokens are kept in the memory of this process: a restart ends every login, and other instances know none of them. The option `redis` keeps them in Redis.';

/** Makes the store according to the options of the plugin. */
export function refreshing(
  { enableRefreshToken = false }: Pick<JWTOptions, 'enableRefreshToken'>,
  redis: { readonly url: string; readonly prefix?: string } | undefined,
  log: Logger,
): Refreshing {
  if (!enableRefreshToken) return { store: undefined, open: () => undefined, close: () => undefined };
  if (redis === undefined) return { store: undefined, open: () => log.info(IN_MEMORY), close: () => undefined };
  const connection = new RedisConnection(redis.url, 'the refresh tokens', log);
  const store = redisRefreshStore(connection, redis.prefix);
  return {
    store,
    open: () => connection.open(),
    close: () => {
      removeRefreshStore(store);
      connection.close();
    },
  };
}
