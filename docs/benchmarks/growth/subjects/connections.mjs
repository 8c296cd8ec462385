import { served } from './application.mjs';

/** The size is that of the connections, which the driver opens. */
export function open() {
  return served([], (router) => router.get('/numbers/:id', (ctx) => ({ id: ctx.params.id })));
}
