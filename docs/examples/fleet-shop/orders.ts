import { type AppConfig, Logger, plugin, Type } from 'fw';
import { docPOST } from 'fw/docs';
import { tag } from 'fw/fleet';
import { health, service } from './service.js';
import type { Settings } from './settings.js';

const Order = Type.Object({ id: Type.String(), state: Type.String() }, { additionalProperties: false });

/** Keeps orders. Promises less in its OpenAPI document than it sends, and fails when it is told to. */
export function orders(settings: Settings): AppConfig {
  let failing = false;
  return service(
    'orders-service',
    settings.ports.orders,
    settings,
    (router, services) => {
      const log = services.get(Logger);
      health(router, 'orders-service');
      // Documented, and not filtered as by the `output` of a route: what is sent can differ from what is promised.
      const promise = docPOST('/internal/orders/:id', { title: 'Charge an order', output: Order });
      router.post('/internal/orders/:id', promise, (context) => {
        tag(context, 'payment_provider', 'stripe');
        if (failing) {
          log.error('payment provider timeout');
          context.status = 500;
          context.body = { error: 'payment provider timeout' };
          return undefined;
        }
        // The contract violation of this example: nobody promised `debug_note`.
        return { id: context.params.id, state: 'paid', debug_note: 'left over from Friday' };
      });
      router.post('/chaos/fail', { hidden: true }, () => ({ failing: (failing = true) }));
      router.post('/chaos/recover', { hidden: true }, () => ({ failing: (failing = false) }));
    },
    { inside: [plugin(() => import('fw/docs'), { title: 'Orders', uiPath: '', checkResponses: false })] },
  );
}
