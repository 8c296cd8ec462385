import type { Finding } from '../contracts/doctor.js';
import type { DOCTOR_ERRORS } from './errors.js';

/** A finding of this room, with one of its codes. */
export const finding = (
  severity: Finding['severity'],
  code: keyof typeof DOCTOR_ERRORS,
  message: string,
  more: Pick<Finding, 'command' | 'details'> = {},
): Finding => ({ severity, code, message, ...more });
