import { existsSync } from 'node:fs';
import path from 'node:path';
import { BUILT_CONFIG, staleSources } from '../../config/index.js';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { fwCommand } from '../../invocation/index.js';
import { finding } from '../finding.js';

const NAMED = 5;

/** Whether `dist/`, which is what other checks look at, is built of the sources as they are. */
const built: DoctorCheck = async ({ root }) => {
  // That there is none yet is a finding of the configuration.
  if (!existsSync(path.join(root, BUILT_CONFIG))) return [];
  const stale = await staleSources(root);
  if (stale.length === 0) return [finding('ok', 'FW_DOCTOR_BUILD', 'dist/ is built of the sources as they are')];
  const more = stale.length > NAMED ? ` and ${stale.length - NAMED} more` : '';
  const message = `${stale.slice(0, NAMED).join(', ')}${more} changed since dist/ was built; what follows is said of that build.`;
  const command = `${fwCommand('codegen')} && ${fwCommand('build')}`;
  return [finding('warning', 'FW_DOCTOR_BUILD', message, { details: { stale }, command })];
};

export default built;
