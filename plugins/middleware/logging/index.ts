import { Type } from 'typebox';
import { definePlugin, HttpMiddleware, withDefault } from '../../../kernel/index.js';
import { loggingMiddleware } from './logging.js';

export { formatLine, loggingMiddleware, type LoggingOptions, type RequestLine } from './logging.js';

export default definePlugin({
  id: 'middleware/logging',
  category: 'middleware',
  description: 'One log line per request: method, path, status, duration',
  options: Type.Object({
    skip: withDefault(
      Type.Array(Type.String({ pattern: '^/' }), {
        description: 'Paths that are not logged, as they are; e.g. /healthz',
      }),
      [],
    ),
  }),
  needs: ['http'],
  order: {
    before: [
      'middleware/rate-limit',
      'middleware/locale',
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
      'middleware/compression',
    ],
    because: 'it stands outside the rate limiter, so that rejected requests are logged',
  },
  register({ options, log, contribute, probe }) {
    const skipped = new Set(options.skip);
    const handle = loggingMiddleware({
      write: ({ method, path, status, durationMs }) =>
        log.info({ method, path, status, durationMs: Math.round(durationMs * 1000) / 1000 }, 'request'),
      ...(skipped.size > 0 && { skip: (context) => skipped.has(context.path) }),
    });
    contribute(HttpMiddleware, () => ({ name: 'logging', handle, seesRefused: true }));
    probe('logging', handle.probe);
  },
});
