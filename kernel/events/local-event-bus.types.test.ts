import type { EventBus } from '../contracts/events.js';

interface Shop {
  'order.placed': { readonly id: number };
  'shop.closed': undefined;
}

/** Never called: what must compile and what must not. */
export function checkTypes(bus: EventBus<Shop>, application: EventBus): void {
  bus.on('order.placed', (payload, name) => {
    const id: number = payload.id;
    const exact: 'order.placed' = name;
    return [id, exact];
  });
  void bus.emit('order.placed', { id: 1 });
  bus.on('order.placed', () => undefined, { filter: ({ id }) => id > 1 });
  application.on('app.started', ({ name }) => name);

  // @ts-expect-error: no such event
  bus.on('order.lost', () => undefined);
  // @ts-expect-error: the payload has another type
  void bus.emit('order.placed', { id: '1' });
  // @ts-expect-error: the payload has no such field
  bus.on('order.placed', ({ total }) => total);
  // @ts-expect-error: no such phase
  bus.on('order.placed', () => undefined, { phase: 'middle' });
}
