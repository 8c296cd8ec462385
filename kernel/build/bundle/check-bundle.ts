import path from 'node:path';
import { fwError } from '../../errors/index.js';
import { runProcess } from '../../process/index.js';
import { BUILD_ERRORS } from '../errors.js';

const TIMEOUT_MS = 5 * 60_000;
const OUTPUT_BYTES = 4 << 20;

/** What Node says of something that is not there. */
const MISSING = /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ENOENT/;

/**
 * Imports and registers every plugin of a bundle, in a process of its own, away from the project, where nothing else is installed.
 *
 * @param folder - of the bundle
 * @returns why nothing can be said of it; undefined when it is whole
 * @throws FwError `FW_BUILD_BUNDLE` when something is missing from it
 */
export async function checkBundle(folder: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await runProcess({
    command: process.execPath,
    args: [path.join(folder, 'start.js'), 'plugins'],
    cwd: folder,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: OUTPUT_BYTES,
  });
  if (exitCode === 0) return undefined;
  const lines = `${stdout}\n${stderr}`.split('\n');
  const missing = lines.filter((line) => MISSING.test(line));
  if (missing.length > 0) throw fwError(BUILD_ERRORS.FW_BUILD_BUNDLE, { problems: missing.join('\n') });
  return lines.find((line) => /FW_[A-Z_]+: /.test(line)) ?? stderr.trim();
}
