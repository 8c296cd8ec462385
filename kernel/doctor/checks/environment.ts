import { loadEnvFiles } from '../../config/env-files.js';
import { activeProfile } from '../../config/index.js';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { isFwError } from '../../errors/index.js';
import { findingOf } from '../examine.js';
import { DOCTOR_ERRORS } from '../errors.js';

/** `.env` files that cannot be read, and variables that the application lacks. Names only, never a value. */
const environment: DoctorCheck = async ({ root, profile, config }) => {
  const { files, names, profile: active } = loadEnvFiles(root, activeProfile(profile));
  const problem = await config().then(
    () => undefined,
    (error: unknown) => error,
  );
  // The check `configuration` reports every other error.
  if (isFwError(problem) && problem.code.startsWith('FW_CONFIG_ENVIRONMENT'))
    return [{ ...findingOf(problem), details: { variables: problem.details['variables'] } }];
  const read = files.length === 0 ? 'no .env file' : `${files.join(', ')} (${names.length} variables)`;
  return [
    {
      severity: 'ok',
      code: DOCTOR_ERRORS.FW_DOCTOR_ENVIRONMENT.code,
      message: `profile ${active}, ${read}`,
      details: { profile: active, files, names },
    },
  ];
};

export default environment;
