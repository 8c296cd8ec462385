import { existsSync } from 'node:fs';
import path from 'node:path';
import { bootApp } from '../../boot/index.js';
import { BUILT_CONFIG } from '../../config/index.js';
import type { DoctorCheck } from '../../contracts/doctor.js';
import { isFwError } from '../../errors/index.js';
import { CONFIG_FILE } from '../../fs/index.js';
import { fwCommand } from '../../invocation/index.js';
import { createLogger } from '../../log/index.js';
import { findingOf } from '../examine.js';
import { finding } from '../finding.js';

/** Whether the configuration loads, and its plugins can be registered. None is started. */
const configuration: DoctorCheck = async ({ root, profile, config }) => {
  if (!existsSync(path.join(root, CONFIG_FILE)) && !existsSync(path.join(root, BUILT_CONFIG)))
    return [finding('error', 'FW_DOCTOR_NO_CONFIG', `There is no ${CONFIG_FILE} in ${root}.`)];
  let loaded: Awaited<ReturnType<typeof config>>;
  try {
    loaded = await config();
  } catch (error) {
    // The check `environment` reports this error.
    if (isFwError(error) && error.code.startsWith('FW_CONFIG_ENVIRONMENT')) return [];
    const found = findingOf(error, 'error', `${fwCommand('codegen')} && ${fwCommand('build')}`);
    // What a module of the project throws has no code, and is not a failure of the check.
    return [found.code === 'FW_DOCTOR_FAILED' ? { ...found, code: 'FW_DOCTOR_CONFIG' } : found];
  }
  const log = createLogger({ name: loaded.config.name, level: 'fatal', destination: process.stderr });
  const app = await bootApp(loaded.config, { profile, root: loaded.root, log, survey: true });
  const { plugins } = app.report();
  await app.stop();
  const wrong = plugins.filter(({ state }) => state === 'failed' || state === 'degraded');
  if (wrong.length === 0) {
    const details = { app: app.name, profile: app.profile, plugins: plugins.length };
    return [finding('ok', 'FW_DOCTOR_CONFIG', `${app.name}: ${plugins.length} plugins`, { details })];
  }
  return wrong.map(({ id, state, code, reason }) => {
    const [severity, problem] =
      state === 'failed' ? (['error', 'cannot start'] as const) : (['warning', 'is degraded'] as const);
    const found = finding(severity, 'FW_DOCTOR_PLUGIN', `${id} ${problem}: ${reason}`, { details: { plugin: id } });
    return code ? { ...found, code } : found;
  });
};

export default configuration;
