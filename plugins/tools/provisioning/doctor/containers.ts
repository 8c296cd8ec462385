import type { DoctorCheck } from '../../../../kernel/index.js';
import { wantedRuntimes } from '../options.js';
import { findRuntime } from '../runtime/find-runtime.js';
import { CONTAINER_FINDINGS } from './errors.js';

/** Checks for a container runtime, which only provisioning needs. */
const containers: DoctorCheck = async ({ signal }) => {
  try {
    const runtime = await findRuntime(wantedRuntimes(''), signal);
    return [
      {
        severity: 'ok',
        code: CONTAINER_FINDINGS.FW_DOCTOR_CONTAINERS.code,
        message: `containers run with ${runtime}`,
        details: { runtime },
      },
    ];
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string };
    return [{ severity: 'note', code, message: `${message} Only provisioning needs it.` }];
  }
};

export default containers;
