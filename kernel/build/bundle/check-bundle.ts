import path from 'node:path';
import { variablesOfEnvFiles } from '../../config/index.js';
import { fwError } from '../../errors/index.js';
import { loaderOf, runProcess } from '../../process/index.js';
import { BUILD_ERRORS } from '../errors.js';

const TIMEOUT_MS = 5 * 60_000;
const OUTPUT_BYTES = 4 << 20;

/** Node's messages for a module or file that does not exist. */
const MISSING = /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|ENOENT/;

/**
 * Imports and registers every plugin of a bundle, in a child process and in a folder away from the project, where no other package can be
 * found.
 *
 * @param folder - of the bundle
 * @param root - the project, whose `.env` files give what the environment does not; the bundle keeps none of it
 * @returns why the bundle could not be checked; undefined when it is complete
 * @throws FwError `FW_BUILD_BUNDLE` when a file is missing from the bundle
 */
export async function checkBundle(folder: string, root: string): Promise<string | undefined> {
  const { exitCode, stdout, stderr } = await runProcess({
    command: process.execPath,
    args: [path.join(folder, 'start.js'), 'plugins'],
    cwd: folder,
    env: { ...variablesOfEnvFiles(root, 'prod'), ...variablesOfApplication() },
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: OUTPUT_BYTES,
  });
  if (exitCode === 0) return undefined;
  const lines = `${stdout}\n${stderr}`.split('\n');
  const missing = lines.filter((line) => MISSING.test(line));
  if (missing.length > 0) throw fwError(BUILD_ERRORS.FW_BUILD_BUNDLE, { problems: missing.join('\n') });
  // An error names what it is about in the lines after its first.
  const from = lines.findIndex((line) => /FW_[A-Z_]+: /.test(line));
  return from < 0 ? stderr.trim() : lines.slice(from).join('\n').trim();
}

// Not those by which Node would find packages that the bundle lacks.
function variablesOfApplication(): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => loaderOf(name) === undefined));
}
