// Checked by the compiler alone: what a route module may and may not write.
import { Type } from 'typebox';
import type { Middleware, Router } from '../../kernel/index.js';

declare const router: Router;
const body = Type.Object({ name: Type.String(), when: Type.Optional(Type.String()) });

router.get('/users/:id/files/*path', (ctx) => `${ctx.params.id}${ctx.params.path}`);
router.get('/files/*', (ctx) => ctx.params.wildcard);
// @ts-expect-error the path has no parameter of that name
router.get('/users/:id', (ctx) => ctx.params.name);

router.post('/users', { input: { body, query: Type.Object({ page: Type.Integer() }) } }, (ctx) => {
  const name: string = ctx.input.body.name;
  const page: number = ctx.input.query.page;
  // @ts-expect-error the body has no such member
  return [name, page, ctx.input.body.age];
});

router.get('/made', { output: Type.Object({ id: Type.Integer(), at: Type.String({ format: 'date-time' }) }) }, () => ({
  id: 1,
  at: new Date(),
}));
// @ts-expect-error the handler returns something else than the route declares
router.get('/made', { output: Type.Object({ id: Type.Integer() }) }, () => ({ id: 'one' }));
router.get('/koa', { output: Type.Object({ id: Type.Integer() }) }, (ctx) => {
  ctx.body = { id: 1 };
});

router.put(
  '/orders/:id',
  { validator: (ctx) => Promise.resolve(ctx.params['id'] === '1' ? { version: 7 } : null) },
  (ctx) => {
    const version: number | undefined = ctx.current?.version;
    // @ts-expect-error the state has no such member
    return [version, ctx.current?.age];
  },
);
// @ts-expect-error nothing tells this state from others
router.put('/orders/:id', { validator: () => true }, () => 1);

// @ts-expect-error an option that does not exist
router.get('/x', { titel: 'x' }, () => 1);

const pass: Middleware = (_ctx, next) => next();
router.group('/api', { tags: ['api'] }, pass, (api) => {
  api.get('/:id', (ctx) => ctx.params.id);
});
