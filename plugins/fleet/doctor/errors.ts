import { defineErrors } from '../../../kernel/errors/index.js';

/** Findings of `fw doctor` that this room brings; those that are good have a code as well. */
export const FLEET_FINDINGS = defineErrors('fleet/doctor', {
  FW_DOCTOR_AGGREGATOR: {
    message: 'The Fleet Aggregator at {url}: {problem}',
    cause: 'It does not run, or has another address or token; spans are dropped until it answers.',
    remedy: 'Start it (`{fw} start aggregator`), or correct its address.',
  },
});
