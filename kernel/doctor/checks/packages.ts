import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { packageManagerOf } from '../../fs/index.js';
import { packageManifests } from '../../manifests/index.js';
import { finding } from '../finding.js';

/** Whether what package.json names is installed. */
const packages: DoctorCheck = async ({ root }) => {
  if (!existsSync(path.join(root, 'package.json'))) {
    const message = `There is no package.json in ${root}: this is no project.`;
    return [finding('error', 'FW_DOCTOR_NO_PACKAGE', message)];
  }
  const { missing } = await packageManifests(root);
  if (missing.length === 0) return [finding('ok', 'FW_DOCTOR_PACKAGES', 'what package.json names is installed')];
  const message = `These packages are not installed: ${missing.join(', ')}.`;
  const isLocked = existsSync(path.join(root, 'package-lock.json'));
  const { command: manager } = packageManagerOf(root);
  const command = manager === 'npm' && isLocked ? 'npm ci' : `${manager} install`;
  return [finding('error', 'FW_DOCTOR_NOT_INSTALLED', message, { command, details: { missing } })];
};

export default packages;
