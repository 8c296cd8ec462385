import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { compilerAbove } from '../../compiler/index.js';
import type { DoctorCheck, Finding } from '../../contracts/doctor.js';
import { messageOf } from '../../errors/index.js';
import { PROJECT_FW } from '../../invocation/index.js';
import { frameworkVersion } from '../../plugin/framework-version.js';
import { semver } from '../../plugin/semver.js';
import { runProcess } from '../../process/index.js';
import { finding } from '../finding.js';

/** Releases of Node that the framework runs on. */
const NODE = '>=20.19.0';
const NPM_TIMEOUT_MS = 20_000;

/** Node, npm, fw and TypeScript: which they are, and whether they fit what the project says. */
const versions: DoctorCheck = async ({ root, signal }) => [
  await nodeVersion(root),
  await npmVersion(root, signal),
  await frameworkOf(root),
  typescriptOf(root),
];

export default versions;

async function nodeVersion(root: string): Promise<Finding> {
  const { engines } = await manifestOf(path.join(root, 'package.json'));
  const wanted = [NODE, ...(typeof engines?.['node'] === 'string' ? [engines['node']] : [])];
  const { satisfies } = semver();
  const missed = wanted.find((range) => !satisfies(process.versions.node, range, { includePrerelease: true }));
  const details = { node: process.versions.node, platform: process.platform, arch: process.arch };
  const named = `Node ${process.versions.node} (${process.platform} ${process.arch})`;
  if (missed === undefined) return finding('ok', 'FW_DOCTOR_NODE', named, { details });
  const message = `${named} is not what is needed: ${missed}. Install another release (https://nodejs.org/en/download).`;
  return finding('error', 'FW_DOCTOR_NODE', message, { details });
}

async function npmVersion(cwd: string, signal: AbortSignal): Promise<Finding> {
  const limits = { timeoutMs: NPM_TIMEOUT_MS, maxOutputBytes: 10_000 };
  try {
    const { exitCode, stdout } = await runProcess({ command: 'npm', args: ['--version'], cwd, signal, ...limits });
    const npm = stdout.trim();
    if (exitCode === 0) return finding('ok', 'FW_DOCTOR_NPM', `npm ${npm}`, { details: { npm } });
    return finding('warning', 'FW_DOCTOR_NPM', `npm --version ended with exit code ${exitCode}.`);
  } catch (error) {
    return finding('warning', 'FW_DOCTOR_NPM', `npm cannot be run: ${messageOf(error)}`);
  }
}

async function frameworkOf(root: string): Promise<Finding> {
  const own = frameworkVersion();
  const { version: installed } = await manifestOf(path.join(root, 'node_modules/fw/package.json'));
  if (installed === undefined || installed === own)
    return finding('ok', 'FW_DOCTOR_FRAMEWORK', `fw ${own}`, { details: { fw: own } });
  const message = `This is fw ${own}, and the project has ${installed}: run the project's own.`;
  const more = { command: `${PROJECT_FW} doctor`, details: { fw: own, installed } };
  return finding('warning', 'FW_DOCTOR_FRAMEWORK', message, more);
}

// The one that builds take.
function typescriptOf(root: string): Finding {
  const version = compilerAbove(root)?.version;
  if (version !== undefined)
    return finding('ok', 'FW_DOCTOR_TYPESCRIPT', `TypeScript ${version}`, { details: { typescript: version } });
  const message = 'TypeScript is not installed: a build cannot check types, and a production install needs none.';
  return finding('note', 'FW_DOCTOR_TYPESCRIPT', message);
}

interface PackageManifest {
  readonly version?: string;
  readonly engines?: Readonly<Record<string, unknown>>;
}

// The check `packages` reports a manifest that cannot be read.
async function manifestOf(file: string): Promise<PackageManifest> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as PackageManifest;
  } catch {
    return {};
  }
}
