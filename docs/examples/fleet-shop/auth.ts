import { type AppConfig } from 'fw';
import { tag, tracedFetch } from 'fw/fleet';
import { health, service } from './service.js';
import type { Settings } from './settings.js';

/** Knows who asks, and lets orders do the work. */
export function auth(settings: Settings): AppConfig {
  return service('auth-service', settings.ports.auth, settings, (router) => {
    health(router, 'auth-service');
    router.get('/internal/auth/:id', async (context) => {
      tag(context, 'auth_subject', 'demo-user');
      const url = `${settings.ordersURL}/internal/orders/${encodeURIComponent(context.params.id)}`;
      const answer = await tracedFetch(context)(url, { method: 'POST' });
      context.status = answer.status;
      return answer.ok ? { subject: 'demo-user', order: await answer.json() } : { error: 'orders failed' };
    });
  });
}
