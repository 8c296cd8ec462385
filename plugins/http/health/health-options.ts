import { type Static, Type } from 'typebox';
import { DurationSchema, LONGEST_TIMER } from '../../../kernel/index.js';

const path = (description: string) => Type.Optional(Type.String({ description, pattern: '^/[^?#\\s]*$' }));

/** The option `health` of the http plugin. */
export const healthOptionsSchema = Type.Object(
  {
    live: path('Path that says whether the process answers; default /livez'),
    ready: path('Path that says whether the application should get requests; default /readyz'),
    timeout: Type.Optional(
      DurationSchema({ description: 'How long the checks may take together; default 2s', most: LONGEST_TIMER }),
    ),
    stopDelay: Type.Optional(
      DurationSchema({
        description:
          'How long requests are still taken after a stop was asked for, while readiness says no: as long as a load balancer needs to notice; default 0',
        most: LONGEST_TIMER,
      }),
    ),
  },
  { additionalProperties: false },
);

export type HealthOptions = Static<typeof healthOptionsSchema>;
