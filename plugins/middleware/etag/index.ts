import { Type } from 'typebox';
import { definePlugin, HttpMiddleware } from '../../../kernel/index.js';
import { etagMiddleware } from './etag.js';
import { newETagCache } from './etag-cache.js';

export { ETagCache, newETagCache, type ETagCacheOptions } from './etag-cache.js';
export { etagMiddleware, etagMiddleware as eTagMiddleware } from './etag.js';

export default definePlugin({
  id: 'middleware/etag',
  category: 'middleware',
  description: 'Strong ETags and 304 answers',
  options: Type.Object({
    maxEntries: Type.Optional(
      Type.Integer({
        description:
          'Most ETags that are stored; unbounded when left out, which suits only applications with a bounded number of URLs',
        minimum: 1,
      }),
    ),
  }),
  needs: ['http'],
  order: {
    after: ['middleware/jwt'],
    before: ['middleware/compression'],
    because:
      'inside auth a 304 is served only to an allowed caller, and outside compression it names the bytes that are sent',
  },
  register({ options, contribute, probe }) {
    const handle = etagMiddleware(newETagCache(options));
    contribute(HttpMiddleware, () => ({ name: 'etag', handle }));
    probe('etag', handle.probe);
  },
});
