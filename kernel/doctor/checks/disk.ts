import { statfs } from 'node:fs/promises';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { finding } from '../finding.js';

const MIB = 1 << 20;
const [LITTLE, NONE] = [500, 50];

/** Space on the disk of the project. */
const disk: DoctorCheck = async ({ root }) => {
  const { bavail, bsize } = await statfs(root);
  const free = Math.floor((bavail * bsize) / MIB);
  const severity = free < NONE ? 'error' : free < LITTLE ? 'warning' : 'ok';
  const message = `${free} MiB are free on the disk of the project`;
  return [finding(severity, 'FW_DOCTOR_DISK', message, { details: { freeMiB: free } })];
};

export default disk;
