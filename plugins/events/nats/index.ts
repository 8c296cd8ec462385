import { definePlugin, DurationSchema, milliseconds, ReadinessCheck, Type } from '../../../kernel/index.js';
import { EventBackend } from '../../../kernel/contracts/events.js';
import { NatsBackend } from './nats-backend.js';

export { NATS_ERRORS } from './errors.js';
export { NatsBackend } from './nats-backend.js';
export type { NatsBackendOptions } from './options.js';

export default definePlugin({
  id: '@fw/backend-nats',
  category: 'events',
  description: 'Carries event messages over NATS JetStream: durable, and read from where the group stopped',
  fw: '^0.1.0',
  options: Type.Object({
    brokers: Type.Array(Type.String(), { minItems: 1, description: 'servers, each host:port' }),
    groupId: Type.String({
      minLength: 1,
      description: 'who reads: a restarted reader of the group goes on where it stopped',
    }),
    stream: Type.Optional(Type.String({ description: 'stream that keeps the messages; default fw' })),
    maxBytes: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'bytes that the stream keeps; default 256 MiB for a new one; one that is there is raised to it, never lowered',
      }),
    ),
    maxAge: Type.Optional(
      DurationSchema({
        description:
          'how long the stream keeps a message; default 1d for a new one; one that is there is raised to it, never lowered',
      }),
    ),
    ackWait: Type.Optional(
      DurationSchema({ description: 'after which a message that a reader did not finish comes again; default 30s' }),
    ),
  }),
  provides: [EventBackend],
  register({ options, bind, contribute, log }) {
    const { maxAge, ackWait, ...rest } = options;
    bind(
      EventBackend,
      () =>
        new NatsBackend({
          ...rest,
          ...(maxAge !== undefined && { maxAge: milliseconds(maxAge) }),
          ...(ackWait !== undefined && { ackWait: milliseconds(ackWait) }),
          log,
        }),
    );
    contribute(ReadinessCheck, (services) => ({
      name: 'event broker',
      check: () => (services.get(EventBackend) as NatsBackend).ping(),
    }));
  },
  stop: (services) => services.get(EventBackend).close(),
});
