import { definePlugin, HttpRoutes } from '../../../kernel/index.js';
import { routes } from '../../http/index.js';

/** `GET /healthz` of an aggregator that runs by itself. */
export default definePlugin({
  id: 'fleet/health',
  category: 'fleet',
  description: 'Answers health checks of an aggregator that runs by itself',
  needs: ['http'],
  register({ contribute }) {
    contribute(HttpRoutes, () =>
      routes((router) => {
        router.get('/healthz', { hidden: true, public: true }, () => ({ status: 'ok', service: 'fleet-aggregator' }));
      }, 'fleet-health'),
    );
  },
});
