import { defineErrors } from '../../../../kernel/errors/index.js';

/** Findings of `fw doctor` that this room brings; those that are good have a code as well. */
export const CONTAINER_FINDINGS = defineErrors('tools/provisioning/doctor', {
  FW_DOCTOR_CONTAINERS: {
    message: 'containers run with {runtime}',
    cause: 'The finding says which runtime is there, if any; only the tools that provision need one.',
    remedy: 'Install podman or docker where you want them.',
  },
});
