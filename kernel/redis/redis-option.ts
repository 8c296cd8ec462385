import { Type } from 'typebox';
import { withDefault } from '../config/options.js';

/**
 * The option of a plugin that keeps its state in Redis.
 *
 * @param prefix - of its keys
 */
export const RedisOption = (prefix: string, description: string) =>
  Type.Optional(
    Type.Object(
      {
        url: Type.String({
          pattern: '^rediss?://',
          description: 'redis:// or rediss:// address shared by all instances',
          secret: true,
        }),
        prefix: withDefault(Type.String({ description: 'Prefix of the keys in Redis' }), prefix),
      },
      { additionalProperties: false, description },
    ),
  );
