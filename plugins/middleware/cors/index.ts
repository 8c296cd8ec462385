import { Type } from 'typebox';
import { definePlugin, HttpMiddleware, ORIGIN, withDefault } from '../../../kernel/index.js';
import { corsParts } from './cors.js';

import { ORIGIN_PATTERN, type OriginTest } from './origin-test.js';

export { corsMiddleware, type CORSOptions } from './cors.js';
export type { OriginTest, TestedOrigins } from './origin-test.js';

const value = (description: string, pattern: string) => withDefault(Type.String({ description, pattern }), '');

const listOf = (one: string) => `^\\s*(\\*|(${one}(\\s*,\\s*${one})*)?)\\s*$`;
// RFC 9110, section 5.6.2.
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

export default definePlugin({
  id: 'middleware/cors',
  category: 'middleware',
  description: 'CORS headers and preflight answers',
  options: Type.Object({
    allowOrigins: value('`*`, one origin, or several with commas', listOf(ORIGIN)),
    originPatterns: Type.Optional(
      Type.Array(Type.String({ pattern: ORIGIN_PATTERN }), {
        minItems: 1,
        description: 'Whole origins in which `*` is one label of the host or any port, e.g. https://*.shop.example',
      }),
    ),
    allowOrigin: Type.Optional(
      Type.Unsafe<OriginTest>({
        typeof: 'function',
        description: 'Answers at once whether an origin is allowed; nothing but true is a yes',
      }),
    ),
    allowMethods: value('Methods with commas', listOf(TOKEN)),
    allowHeaders: value('Header names with commas', listOf(TOKEN)),
    exposeHeaders: value('Header names with commas', listOf(TOKEN)),
    allowCredentials: value('`true` or empty', '^(true)?$'),
    maxAge: value('Seconds as a decimal string', '^(-1|[0-9]*)$'),
  }),
  needs: ['http'],
  order: {
    before: ['middleware/jwt', 'middleware/etag', 'middleware/compression'],
    because: 'it answers the OPTIONS preflight before auth rejects it',
  },
  register({ options, contribute, probe }) {
    const { apply, answer } = corsParts(options);
    contribute(HttpMiddleware, () => ({
      name: 'cors',
      handle: answer,
      // Also set on responses of the outer rate limiter, so that a page can read its 429.
      outermost: apply,
      seesRefused: true,
    }));
    probe('cors', answer.probe);
  },
});
