import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../../../kernel/errors/index.js';
import { ChangeSet, type FileChange } from '../../../kernel/fs/index.js';
import { frameworkFolder } from '../../../kernel/plugin/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import type { PackedFramework } from '../new/pack-framework.js';
import { exchangeFramework, vendoredIn } from './exchange.js';
import { fitProject } from './fit.js';

export { readTarball } from './tarball.js';

/** How a project is upgraded. */
export interface Upgrade {
  /** Folder of the project. */
  readonly root: string;
  /** The new framework; undefined if the project has it already. */
  readonly framework?: PackedFramework | undefined;
  /** Whether the project also gets the additions of new projects; only if the running framework is the new one. */
  readonly fits: boolean;
  /** Writes nothing. */
  readonly dryRun?: boolean;
  /** Installs the packages. @returns the error message; undefined on success */
  readonly install?: ((root: string) => Promise<string | undefined>) | undefined;
}

/** Result of an upgrade. */
interface Upgraded {
  /** Name of the project. */
  readonly name: string;
  readonly files: readonly FileChange[];
  /** A line for each change, with the reason. */
  readonly said: readonly string[];
}

const LIMITS = { maxFileBytes: 64 << 20, maxBytes: 128 << 20 };

/**
 * Upgrades a project that vendors the framework to another release. If the installation fails, all changes are undone.
 *
 * @throws FwError `FW_SCHEMATIC_NO_PROJECT`, `FW_UPGRADE_NOT_VENDORED`, `FW_UPGRADE_INSTALL`
 */
export async function upgradeProject({ root, framework, fits, dryRun = false, install }: Upgrade): Promise<Upgraded> {
  const changes = await ChangeSet.open(root, LIMITS);
  const vendored = await vendoredIn(changes);
  const said = [
    ...(framework ? await exchangeFramework(changes, vendored, framework) : []),
    ...(fits ? await fitProject(changes) : []),
  ];
  const { name } = vendored;
  if (dryRun) return { name, files: changes.discard(), said };
  const before = await contentsOf(changes.root, changes.changes());
  const files = await changes.commit();
  const problem = files.length > 0 && install ? await install(changes.root) : undefined;
  if (problem === undefined) return { name, files, said };
  await putBack(changes.root, before);
  throw fwError(SCHEMATICS_ERRORS.FW_UPGRADE_INSTALL, { problem });
}

/** Whether the running framework is the one that a project has installed. */
export function isOwnFramework(root: string): boolean {
  const own = path.join(root, 'node_modules/fw');
  return existsSync(own) && realpathSync(own) === realpathSync(frameworkFolder());
}

type Contents = ReadonlyMap<string, Buffer | undefined>;

async function contentsOf(root: string, files: readonly FileChange[]): Promise<Contents> {
  const read = files.map(async ({ path: file, change }) => [file, change === 'created' ? undefined : await readFile(path.join(root, file))] as const); // prettier-ignore
  return new Map(await Promise.all(read));
}

async function putBack(root: string, before: Contents): Promise<void> {
  const changes = await ChangeSet.open(root, LIMITS);
  for (const [file, bytes] of before) await (bytes ? changes.write(file, bytes) : changes.delete(file));
  await changes.commit();
}
