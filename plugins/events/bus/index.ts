import { definePlugin, EventBusSettings, Type, withDefault } from '../../../kernel/index.js';

/**
 * Settings of the application's event bus, which the kernel brings along: without this plugin it works with the defaults below.
 */
export default definePlugin({
  id: 'events/bus',
  category: 'events',
  description: 'Settings of the event bus: how many events are handled at a time, and how many may wait',
  options: Type.Object({
    concurrency: withDefault(
      Type.Integer({ minimum: 1, description: 'events of emitAsync whose listeners are at work at a time' }),
      16,
    ),
    queueCapacity: withDefault(
      Type.Integer({
        minimum: 1,
        description: 'events of emitAsync that may wait; further ones are dropped and counted',
      }),
      1_024,
    ),
    recorded: withDefault(
      Type.Integer({ minimum: 0, description: 'dispatches that are remembered for the dashboard; 0 for none' }),
      256,
    ),
    recordPayloads: withDefault(
      Type.Boolean({ description: 'whether they are remembered with their payloads, which may be large, or secret' }),
      false,
    ),
  }),
  register({ options, contribute }) {
    contribute(EventBusSettings, () => options);
  },
});
