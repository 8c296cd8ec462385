import { createRequire } from 'node:module';
import path from 'node:path';
import type { DoctorCheck, Finding } from '../../../kernel/contracts/index.js';
import { runProcess } from '../../../kernel/process/index.js';
import { driverPackage, knownDialects } from '../registry/index.js';

const TRIAL_TIMEOUT_MS = 30_000;

/** The drivers that the project has: which they are, and whether their native code fits the Node that runs. */
const drivers: DoctorCheck = async ({ root, signal }) => {
  const packages = (await knownDialects(root)).flatMap((facts) => driverPackage(facts) ?? []);
  const require = createRequire(path.join(root, 'package.json'));
  const found = packages.map(async ({ package: name, compiled }): Promise<readonly Finding[]> => {
    const version = installedVersion(require, name);
    if (version === undefined) return [];
    const details = { driver: name, version };
    const problem = compiled && (await trial(compiled.trial, root, signal));
    if (problem === undefined)
      return [{ severity: 'ok', code: 'FW_DOCTOR_DRIVER', message: `${name} ${version}`, details }];
    const message = `${name} ${version} does not load on Node ${process.versions.node}: ${problem}`;
    return [{ severity: 'error', code: 'FW_DOCTOR_NATIVE', message, command: `npm rebuild ${name}`, details }];
  });
  return (await Promise.all(found)).flat();
};

export default drivers;

function installedVersion(require: NodeJS.Require, name: string): string | undefined {
  try {
    return (require(`${name}/package.json`) as { readonly version: string }).version;
  } catch {
    // It is not installed, and nobody says that it has to be: what package.json names has a check of its own.
    return undefined;
  }
}

// In a process of its own: native code that does not fit may end the one that loads it.
async function trial(code: string, cwd: string, signal: AbortSignal): Promise<string | undefined> {
  const limits = { timeoutMs: TRIAL_TIMEOUT_MS, maxOutputBytes: 20_000 };
  const ended = await runProcess({ command: process.execPath, args: ['-e', code], cwd, signal, ...limits });
  if (ended.exitCode === 0) return undefined;
  const lines = ended.stderr.split('\n').map((line) => line.trim());
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? `it ended with exit code ${ended.exitCode}`;
}
