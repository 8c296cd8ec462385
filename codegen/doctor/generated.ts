import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DoctorCheck } from '../../kernel/contracts/index.js';
import { CONFIG_FILE } from '../../kernel/fs/index.js';
import { fwCommand } from '../../kernel/invocation/index.js';
import { runCodegen } from '../engine/run-codegen.js';
import { GENERATED_FINDINGS } from './errors.js';

/** Whether generated/ is up to date with the sources. */
const generated: DoctorCheck = async ({ root }) => {
  if (!existsSync(path.join(root, CONFIG_FILE))) return [];
  const { problems, stale } = await runCodegen({ root, check: true });
  if (problems.length > 0)
    return problems.map(({ file, line, message }) => ({
      severity: 'error',
      code: GENERATED_FINDINGS.FW_DOCTOR_SOURCE.code,
      message: `${path.relative(root, file)}:${line}: ${message}`,
    }));
  if (stale.length === 0)
    return [{ severity: 'ok', code: GENERATED_FINDINGS.FW_DOCTOR_GENERATED.code, message: 'generated/ is current' }];
  const message = `generated/ is not what the sources say: ${stale.map(({ path: file, reason }) => `${file} (${reason})`).join(', ')}`;
  return [
    {
      severity: 'warning',
      code: GENERATED_FINDINGS.FW_DOCTOR_STALE.code,
      message,
      command: fwCommand('codegen'),
      details: { stale },
    },
  ];
};

export default generated;
