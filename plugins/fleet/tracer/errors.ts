import { defineErrors } from '../../../kernel/index.js';

/** Codes of the tracer. */
export const TRACER_ERRORS = defineErrors('fleet/tracer', {
  FW_FLEET_SERVICE_NAME: {
    message:
      'The tracer is enabled but has no serviceName. Give the stable name under which this service shows in traces.',
    cause: 'newTracer was called with enabled: true and an empty serviceName.',
    remedy: 'Set serviceName, or leave enabled out to switch tracing off.',
  },
  FW_FLEET_TRACER_OPTION: {
    message: 'The tracer option {option} is {value}; expected {expected}.',
    cause: 'A tracer option is out of its range.',
    remedy: 'Correct the value; the option table of Fleet lists ranges and defaults.',
  },
});
