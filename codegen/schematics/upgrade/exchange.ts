import path from 'node:path';
import { fwError } from '../../../kernel/errors/index.js';
import { type ChangeSet, packageManagerOf } from '../../../kernel/fs/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import type { PackedFramework } from '../new/pack-framework.js';

type Json = Record<string, unknown>;

const LOCK = 'package-lock.json';
const VENDORED = /^file:(?:\.\/)?(.+\.tgz)$/;

/** The package that a project takes the framework from. */
interface Vendored {
  /** Path of the tarball, as package.json has it. */
  readonly tarball: string;
  readonly name: string;
}

/**
 * The tarball of the framework in a project's package.json.
 *
 * @throws FwError `FW_SCHEMATIC_NO_PROJECT`, `FW_UPGRADE_NOT_VENDORED`
 */
export async function vendoredIn(changes: ChangeSet): Promise<Vendored> {
  const manifest = await readJson(changes, 'package.json');
  if (manifest === undefined)
    throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NO_PROJECT, { file: 'package.json', root: changes.root });
  const { fw } = (manifest['dependencies'] ?? {}) as { readonly fw?: unknown };
  const [, tarball] = VENDORED.exec(String(fw)) ?? [];
  if (tarball === undefined) {
    const from = fw === undefined ? 'has no dependency fw' : `takes fw from ${String(fw)}`;
    throw fwError(SCHEMATICS_ERRORS.FW_UPGRADE_NOT_VENDORED, { from });
  }
  return { tarball, name: String(manifest['name'] ?? path.basename(changes.root)) };
}

/**
 * Replaces the framework's package in a project: the tarball, its path in package.json, and its entries in the lock file, against which npm
 * would otherwise check the new one.
 *
 * @returns a line for each change; empty if the project has the same package already
 */
export async function exchangeFramework(
  changes: ChangeSet,
  { tarball }: Vendored,
  framework: PackedFramework,
): Promise<readonly string[]> {
  const next = path.posix.join(path.posix.dirname(tarball), framework.name);
  const before = await changes.read(tarball);
  if (next === tarball && before?.equals(framework.bytes)) return [];
  if (next !== tarball) await changes.delete(tarball);
  await changes.write(next, framework.bytes);
  const text = (await changes.readText('package.json')) ?? '';
  // Replaces only the framework's path, so that the rest keeps its order and layout.
  await changes.write('package.json', text.replace(`${tarball}"`, `${next}"`));
  const lock = await readJson(changes, LOCK);
  if (lock === undefined) {
    // What other lock files say of a tarball, their own program has to write.
    const { command, files } = packageManagerOf(changes.root);
    const follows = command === 'npm' ? '' : `; ${files[0]} follows with ${command} install`;
    return [`${next} is the framework now${follows}`];
  }
  const packages = (lock['packages'] ?? {}) as Record<string, Json>;
  const { ['node_modules/fw']: _old, ...others } = packages;
  await changes.write(LOCK, `${JSON.stringify({ ...lock, packages: renamed(others, next) }, null, 2)}\n`);
  return [`${next} is the framework now; ${LOCK} follows with npm install`];
}

function renamed(packages: Record<string, Json>, next: string): Record<string, Json> {
  const root = packages[''] ?? {};
  const dependencies = { ...(root['dependencies'] as Json), fw: `file:${next}` };
  return { ...packages, '': { ...root, dependencies } };
}

async function readJson(changes: ChangeSet, file: string): Promise<Json | undefined> {
  const text = await changes.readText(file);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}
