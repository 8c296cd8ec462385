import { definePlugin, HttpRoutes } from 'fw';
import { routes } from 'fw/http';

const hello = routes((router) => {
  router.get('/hello/:name', (ctx) => ({ hello: ctx.params.name }));
}, 'hello');

export default definePlugin({
  id: 'hello',
  category: 'app',
  description: 'One route that greets.',
  needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, () => hello);
  },
});
