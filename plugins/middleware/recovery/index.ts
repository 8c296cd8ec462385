import { definePlugin, HttpMiddleware } from '../../../kernel/index.js';
import { recoveryMiddleware } from './recovery.js';

export { recoveryMiddleware, type Panic, type RecoveryOptions } from './recovery.js';

export default definePlugin({
  id: 'middleware/recovery',
  category: 'middleware',
  description: 'Turns panics into 500 responses and keeps count of them',
  needs: ['http'],
  order: {
    before: [
      'middleware/logging',
      'middleware/rate-limit',
      'middleware/locale',
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
      'middleware/compression',
    ],
    because: 'it is the outermost one and catches panics from everything after it',
  },
  register({ log, contribute, probe }) {
    const handle = recoveryMiddleware({
      // An error is logged with its stack; any other thrown value has none.
      report: ({ value, method, path, stack }) =>
        log.error({ err: value, method, path, ...(value instanceof Error ? {} : { stack }) }, 'panic recovered'),
    });
    contribute(HttpMiddleware, () => ({ name: 'recovery', handle }));
    probe('recovery', handle.probe);
  },
});
