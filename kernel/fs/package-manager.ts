import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { foldersAbove } from './folders-above.js';
import { objectOf, parsedJson } from '../values/index.js';

/** A program that installs the packages of a project. */
export interface PackageManager {
  readonly command: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Files by which a project, or the workspace around it, says that it is the one. */
  readonly files: readonly string[];
  /** Its command that adds packages to package.json. */
  readonly add: 'install' | 'add';
  /** Options of an installation that may change the lock file, also where nobody watches. */
  readonly flags: readonly string[];
  /** What installs exactly what the lock file says, where only npm is there. */
  readonly exactly: string;
}

/** The one that every Node brings. */
export const NPM: PackageManager = {
  command: 'npm',
  files: ['package-lock.json', 'npm-shrinkwrap.json'],
  add: 'install',
  flags: ['--no-audit', '--no-fund'],
  exactly: 'npm ci --no-audit --no-fund',
};

/** All of them, npm last. */
export const PACKAGE_MANAGERS: readonly PackageManager[] = [
  {
    command: 'pnpm',
    files: ['pnpm-lock.yaml'],
    add: 'add',
    flags: [],
    // It runs the release that package.json names (https://pnpm.io/settings/other).
    exactly: 'npm install --global pnpm && pnpm install --frozen-lockfile',
  },
  {
    command: 'yarn',
    files: ['yarn.lock'],
    add: 'add',
    flags: [],
    // Releases before 2 call it otherwise, and ignore what they do not know (https://yarnpkg.com/cli/install).
    exactly: `npm install --global corepack && corepack yarn install $(grep -q '^# yarn lockfile v1' yarn.lock && echo --frozen-lockfile || echo --immutable)`,
  },
  {
    command: 'bun',
    files: ['bun.lock', 'bun.lockb'],
    add: 'add',
    flags: [],
    exactly: 'npm install --global bun && bun install --frozen-lockfile',
  },
  NPM,
];

/**
 * What a project is installed with: the one whose lock file is nearest, since that of a workspace stands in a folder above, else the one that
 * `packageManager` of package.json names (https://nodejs.org/api/packages.html#packagemanager), else npm.
 */
export function packageManagerOf(root: string): PackageManager {
  for (const folder of foldersAbove(root)) {
    const found = PACKAGE_MANAGERS.find(({ files }) => files.some((file) => existsSync(path.join(folder, file))));
    if (found !== undefined) return found;
  }
  const manifest = path.join(root, 'package.json');
  const { packageManager } = existsSync(manifest) ? objectOf(parsedJson(readFileSync(manifest))) : {};
  return PACKAGE_MANAGERS.find(({ command }) => String(packageManager).startsWith(`${command}@`)) ?? NPM;
}
