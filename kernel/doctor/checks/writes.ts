import type { DoctorCheck } from '../../contracts/doctor.js';
import { interruptedWrites } from '../../fs/index.js';

/** What a command was interrupted in. */
const writes: DoctorCheck = async ({ root }) => {
  const found = await interruptedWrites(root);
  if (found.length === 0) return [{ severity: 'ok', code: 'FW_DOCTOR_WRITES', message: 'no write was interrupted' }];
  // The next command that writes puts them right.
  return found.map(({ text }) => ({
    severity: 'warning',
    code: 'FW_DOCTOR_INTERRUPTED',
    message: text,
    command: 'npx --no -- fw codegen',
  }));
};

export default writes;
