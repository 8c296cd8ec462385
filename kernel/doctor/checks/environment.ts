import { loadEnvFiles } from '../../config/env-files.js';
import { activeProfile, unreadVariable, unreadVariables } from '../../config/index.js';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { isFwError } from '../../errors/index.js';
import { findingOf } from '../examine.js';
import { finding } from '../finding.js';

/** `.env` files that cannot be read, and variables that the application lacks or that are misspelt. Names only, never a value. */
const environment: DoctorCheck = async ({ root, profile, config }) => {
  const { files, names, profile: active } = loadEnvFiles(root, activeProfile(profile));
  const problem = await config().then(
    () => undefined,
    (error: unknown) => error,
  );
  // The check `configuration` reports every other error.
  if (isFwError(problem) && problem.code.startsWith('FW_CONFIG_ENVIRONMENT'))
    return [{ ...findingOf(problem), details: { variables: problem.details['variables'] } }];
  const unread = unreadVariables();
  if (unread.length > 0)
    return unread.map((each) => ({ ...findingOf(unreadVariable(each), 'warning'), details: { ...each } }));
  const read = files.length === 0 ? 'no .env file' : `${files.join(', ')} (${names.length} variables)`;
  const details = { profile: active, files, names };
  return [finding('ok', 'FW_DOCTOR_ENVIRONMENT', `profile ${active}, ${read}`, { details })];
};

export default environment;
