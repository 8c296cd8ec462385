import { createRequire } from 'node:module';
import path from 'node:path';
import type { DoctorCheck, Finding } from '../../../kernel/contracts/index.js';
import { runProcess } from '../../../kernel/process/index.js';
import { type DialectFacts, type DriverFacts, driverPackage, driverVersion, knownDialects } from '../registry/index.js';
import { DATABASE_FINDINGS } from './errors.js';

const TRIAL_TIMEOUT_MS = 30_000;

/** The drivers that the project has: which they are, and whether their native code fits the Node that runs. */
const drivers: DoctorCheck = async ({ root, signal, config }) => {
  const dialects = await knownDialects(root);
  const packages = dialects.flatMap((facts) => driverPackage(facts) ?? []);
  // What is wrong with the configuration is a finding of its own check.
  const loaded = await config().catch(() => undefined);
  const used = loaded && new Set(loaded.config.plugins.flatMap((entry) => usedDrivers(entry, dialects)));
  const require = createRequire(path.join(root, 'package.json'));
  const found = packages.map(async (driver): Promise<readonly Finding[]> => {
    const { package: name, compiled } = driver;
    const version = installedVersion(require, name);
    if (version === undefined) return [];
    const details = { driver: name, version };
    const problem = compiled && (await trial(compiled.trial, root, signal));
    if (problem === undefined && used?.size && !used.has(name)) {
      const unused = `${name} ${version} is installed, and no database of the configuration is reached through it; it may go.`;
      return [
        {
          severity: 'note',
          code: DATABASE_FINDINGS.FW_DOCTOR_DRIVER_UNUSED.code,
          message: unused,
          command: `npm uninstall ${name}`,
          details,
        },
      ];
    }
    if (problem === undefined)
      return [
        { severity: 'ok', code: DATABASE_FINDINGS.FW_DOCTOR_DRIVER.code, message: `${name} ${version}`, details },
      ];
    const message = `${name} ${version} does not load on Node ${process.versions.node}: ${problem}`;
    return [
      {
        severity: 'error',
        code: DATABASE_FINDINGS.FW_DOCTOR_NATIVE.code,
        message,
        command: mendedBy(version, driver),
        details,
      },
    ];
  });
  return (await Promise.all(found)).flat();
};

export default drivers;

// No version of a driver with native code runs on every Node: one that is not for this Node is replaced, and its build would not help.
function mendedBy(version: string, driver: DriverFacts): string {
  const fitting = driverVersion(driver);
  const isForThisNode = Number.parseInt(version) === Number.parseInt(fitting);
  return isForThisNode ? `npm rebuild ${driver.package}` : `npm install ${driver.package}@${fitting}`;
}

interface Entry {
  readonly options: Readonly<Record<string, unknown>>;
  readonly variants: Readonly<Partial<Record<string, Readonly<Record<string, unknown>> | false>>>;
}

/** The packages that the databases of a plugin are reached through, in any profile. */
function usedDrivers({ options, variants }: Entry, dialects: readonly DialectFacts[]): readonly string[] {
  const given = [options, ...Object.values(variants).map((variant) => ({ ...options, ...(variant || {}) }))];
  return given.flatMap((each) => {
    const facts = dialects.find(({ name }) => name === each['driver']);
    const { client = facts && driverPackage(facts)?.package } = each;
    return typeof client === 'string' ? [client] : [];
  });
}

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
