import { defineErrors } from '../errors/index.js';

export const WORKERS_ERRORS = defineErrors('kernel/workers', {
  FW_WORKERS_COUNT: {
    message:
      '--workers {given} is no number of processes. Give auto, for one per processor, or a number from 1 to {most}.',
    cause: 'The option --workers of fw start was given something else than auto or a number.',
    remedy: 'Write `{fw} start --workers auto`.',
  },
  FW_WORKERS_GIVEN_UP: {
    message: 'Worker {index} ended {times} times within {window}; it is not started again, and the others are stopped.',
    cause: 'A process of `fw start --workers` ended by itself again and again: it crashes soon after it starts.',
    remedy: 'Its log says why. Start the application without --workers to see it alone.',
  },
});
