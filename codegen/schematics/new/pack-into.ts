import path from 'node:path';
import { frameworkFolder, PACKING_LOG } from '../../../kernel/plugin/index.js';
import { leaveRunning } from '../../../kernel/process/index.js';

/**
 * Has the framework packed into a project that was made without it, by a process that also goes on when this one ends. What it prints is in
 * the project's {@link PACKING_LOG}.
 *
 * @param framework - folder of its package; default that of this process
 */
export async function packInto(project: string, framework = frameworkFolder()): Promise<void> {
  const args = [path.join(framework, 'dist/kernel/bin/fw.js'), 'upgrade', '--no-install'];
  const request = { command: process.execPath, args, cwd: project, env: { NO_COLOR: '1' } };
  await leaveRunning(request, path.join(project, PACKING_LOG));
}
