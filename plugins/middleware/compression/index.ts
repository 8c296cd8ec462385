import { definePlugin, HttpMiddleware } from '../../../kernel/index.js';
import { compressionMiddleware } from './compression.js';
import { compressionOptionsSchema } from './options.js';

export { negotiateEncoding, type Encoding } from '../../http/index.js';
export { compressionMiddleware } from './compression.js';
export type { CompressionOptions } from './options.js';

export default definePlugin({
  id: 'middleware/compression',
  category: 'middleware',
  description: 'Brotli, gzip and deflate',
  options: compressionOptionsSchema,
  needs: ['http'],
  order: {
    after: [
      'middleware/recovery',
      'middleware/logging',
      'middleware/rate-limit',
      'middleware/locale',
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
    ],
    because: 'it is the innermost one and rewrites the finished body',
  },
  register({ options, contribute, probe }) {
    const handle = compressionMiddleware(options);
    contribute(HttpMiddleware, () => ({ name: 'compression', handle }));
    probe('compression', handle.probe);
  },
});
