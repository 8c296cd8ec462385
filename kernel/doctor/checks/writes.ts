import type { DoctorCheck } from '../../contracts/doctor.js';
import { interruptedWrites } from '../../fs/index.js';
import { fwCommand } from '../../invocation/index.js';
import { finding } from '../finding.js';

/** Writes that a command left unfinished. */
const writes: DoctorCheck = async ({ root }) => {
  const found = await interruptedWrites(root);
  if (found.length === 0) return [finding('ok', 'FW_DOCTOR_WRITES', 'no write was interrupted')];
  // The next command that writes repairs them.
  const command = fwCommand('codegen');
  return found.map(({ text }) => finding('warning', 'FW_DOCTOR_INTERRUPTED', text, { command }));
};

export default writes;
