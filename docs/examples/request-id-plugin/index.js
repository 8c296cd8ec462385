import { randomUUID } from 'node:crypto';
import { afterNext, definePlugin, direct, HttpMiddleware, Type, withDefault } from 'fw';

export default definePlugin({
  id: 'fw-plugin-request-id',
  category: 'middleware',
  description: 'Gives every request an id, and says it in the answer.',
  fw: '^0.1.0',
  options: Type.Object({
    header: withDefault(Type.String({ minLength: 1, description: 'header that carries the id' }), 'X-Request-Id'),
    trust: withDefault(Type.Boolean({ description: 'keeps the id that a caller sends' }), false),
  }),
  needs: ['http'],
  order: { before: ['middleware/logging'], because: 'the line of a request shall name its id' },
  register({ options: { header, trust }, contribute }) {
    const handle = direct((ctx, next) => {
      const sent = trust ? ctx.get(header) : '';
      // What a stranger sends goes into logs: it has to look like an id.
      ctx.state.requestId = /^[\w-]{8,64}$/.test(sent) ? sent : randomUUID();
      ctx.set(header, ctx.state.requestId);
      return afterNext(next, () => undefined);
    });
    contribute(HttpMiddleware, () => ({ name: 'request-id', handle, seesRefused: true }));
  },
});
