import { defineErrors } from '../../../kernel/errors/index.js';

/** Codes of the contract checks. */
export const CONTRACT_ERRORS = defineErrors('fleet/aggregator', {
  FW_FLEET_CHECK_THREAD: {
    message: 'The thread of the contract checks failed: {reason}. What waited for it was not checked.',
    cause: 'The file of the thread cannot be read or loaded, or the process may not start threads.',
    remedy: 'Install fw again, or set contractValidation to false.',
  },
  FW_FLEET_DOCUMENT: {
    message: 'the document is no JSON object',
    cause: 'What a service serves as its OpenAPI document is another kind of JSON.',
    remedy: 'Serve the OpenAPI document at the address in the heartbeat.',
  },
});
