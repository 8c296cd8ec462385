import Router from '@koa/router';
import Koa from 'koa';

const router = new Router();
router.get('/hello/:name', (ctx) => {
  ctx.body = { hello: ctx.params.name };
});
const server = new Koa()
  .use(router.routes())
  .use(router.allowedMethods())
  .listen(0, '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`);
  });
