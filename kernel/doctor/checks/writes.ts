import type { DoctorCheck } from '../../contracts/doctor.js';
import { interruptedWrites } from '../../fs/index.js';
import { fwCommand } from '../../invocation/index.js';
import { DOCTOR_ERRORS } from '../errors.js';

/** Writes that a command left unfinished. */
const writes: DoctorCheck = async ({ root }) => {
  const found = await interruptedWrites(root);
  if (found.length === 0)
    return [{ severity: 'ok', code: DOCTOR_ERRORS.FW_DOCTOR_WRITES.code, message: 'no write was interrupted' }];
  // The next command that writes repairs them.
  return found.map(({ text }) => ({
    severity: 'warning',
    code: DOCTOR_ERRORS.FW_DOCTOR_INTERRUPTED.code,
    message: text,
    command: fwCommand('codegen'),
  }));
};

export default writes;
