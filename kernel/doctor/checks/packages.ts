import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { packageManifests } from '../../manifests/index.js';
import { DOCTOR_ERRORS } from '../errors.js';

/** Whether what package.json names is installed. */
const packages: DoctorCheck = async ({ root }) => {
  if (!existsSync(path.join(root, 'package.json'))) {
    const message = `There is no package.json in ${root}: this is no project.`;
    return [{ severity: 'error', code: DOCTOR_ERRORS.FW_DOCTOR_NO_PACKAGE.code, message }];
  }
  const { missing } = await packageManifests(root);
  if (missing.length === 0)
    return [
      { severity: 'ok', code: DOCTOR_ERRORS.FW_DOCTOR_PACKAGES.code, message: 'what package.json names is installed' },
    ];
  const message = `These packages are not installed: ${missing.join(', ')}.`;
  const command = existsSync(path.join(root, 'package-lock.json')) ? 'npm ci' : 'npm install';
  return [
    { severity: 'error', code: DOCTOR_ERRORS.FW_DOCTOR_NOT_INSTALLED.code, message, command, details: { missing } },
  ];
};

export default packages;
