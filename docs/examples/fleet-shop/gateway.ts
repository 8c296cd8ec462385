import { type AppConfig, Logger, plugin } from 'fw';
import { propagateFromHTTP, tag } from 'fw/fleet';
import { health, service } from './service.js';
import type { Settings } from './settings.js';

/** What the world sees, and where people look at the fleet: its dashboard reads the aggregator. */
export function gateway(settings: Settings): AppConfig {
  const { ports, authURL, aggregatorURL, username, password } = settings;
  const dashboard = plugin(() => import('fw/dashboard'), {
    username,
    password,
    fleetAggregatorURL: aggregatorURL,
    fleetAggregatorUsername: username,
    fleetAggregatorPassword: password,
  });
  return service(
    'gateway',
    ports.gateway,
    settings,
    (router, services) => {
      const log = services.get(Logger);
      health(router, 'gateway');
      router.get('/api/orders/:id', async (context) => {
        tag(context, 'order_id', context.params.id);
        const url = `${authURL}/internal/auth/${encodeURIComponent(context.params.id)}`;
        const answer = await fetch(url, propagateFromHTTP(context, { headers: {} as Record<string, string> }));
        context.status = answer.status;
        if (answer.ok) return answer.json();
        log.warn({ order: context.params.id }, 'the order could not be read');
        return { error: 'the order could not be read' };
      });
    },
    { outside: [dashboard], inside: [plugin(() => import('fw/middleware/security-headers'))] },
  );
}
