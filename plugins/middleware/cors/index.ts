import { Type } from 'typebox';
import { definePlugin, HttpMiddleware, withDefault } from '../../../kernel/index.js';
import { corsMiddleware } from './cors.js';

export { corsMiddleware, type CORSOptions } from './cors.js';

const value = (description: string) => withDefault(Type.String({ description }), '');

export default definePlugin({
  id: 'middleware/cors',
  category: 'middleware',
  description: 'CORS headers and preflight answers',
  options: Type.Object({
    allowOrigins: value('`*`, one origin, or several with commas'),
    allowMethods: value('Methods with commas'),
    allowHeaders: value('Header names with commas'),
    exposeHeaders: value('Header names with commas'),
    allowCredentials: value('`true` or empty'),
    maxAge: value('Seconds as a decimal string'),
  }),
  needs: ['http'],
  order: {
    before: ['middleware/jwt', 'middleware/etag', 'middleware/compression'],
    because: 'it answers the OPTIONS preflight before auth rejects it',
  },
  register({ options, contribute, probe }) {
    const handle = corsMiddleware(options);
    contribute(HttpMiddleware, () => ({ name: 'cors', handle }));
    probe('cors', handle.probe);
  },
});
