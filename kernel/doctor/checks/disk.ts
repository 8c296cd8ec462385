import { statfs } from 'node:fs/promises';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { DOCTOR_ERRORS } from '../errors.js';

const MIB = 1 << 20;
const [LITTLE, NONE] = [500, 50];

/** Space on the disk of the project. */
const disk: DoctorCheck = async ({ root }) => {
  const { bavail, bsize } = await statfs(root);
  const free = Math.floor((bavail * bsize) / MIB);
  const severity = free < NONE ? 'error' : free < LITTLE ? 'warning' : 'ok';
  return [
    {
      severity,
      code: DOCTOR_ERRORS.FW_DOCTOR_DISK.code,
      message: `${free} MiB are free on the disk of the project`,
      details: { freeMiB: free },
    },
  ];
};

export default disk;
