import { definePlugin, ReadinessCheck, Type } from '../../../kernel/index.js';
import { EventBackend } from '../../../kernel/contracts/events.js';
import { KafkaBackend } from './kafka-backend.js';

export { KAFKA_ERRORS } from './errors.js';
export { KafkaBackend } from './kafka-backend.js';
export type { KafkaBackendOptions } from './options.js';

export default definePlugin({
  id: '@fw/backend-kafka',
  category: 'events',
  description: 'Carries event messages over Kafka: durable, and read from where the group stopped',
  fw: '^0.1.0',
  options: Type.Object({
    brokers: Type.Array(Type.String(), { minItems: 1, description: 'brokers, each host:port' }),
    groupId: Type.String({
      minLength: 1,
      description: 'consumer group: a restarted reader goes on at its committed offsets',
    }),
  }),
  provides: [EventBackend],
  register({ options, bind, contribute, log }) {
    bind(EventBackend, () => new KafkaBackend({ ...options, log }));
    contribute(ReadinessCheck, (services) => ({
      name: 'event broker',
      check: () => (services.get(EventBackend) as KafkaBackend).ping(),
    }));
  },
  stop: (services) => services.get(EventBackend).close(),
});
