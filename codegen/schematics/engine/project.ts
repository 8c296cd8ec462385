import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFIG_FILE } from '../../../kernel/fs/index.js';
import { fwError } from '../../../kernel/errors/index.js';
import { SCHEMATICS_ERRORS } from '../errors.js';
import type { GeneratorContext } from './context.js';

export { CONFIG_FILE };

/** Text of a project's app.config.ts. @throws FwError `FW_SCHEMATIC_NO_PROJECT` */
export async function readConfig(context: GeneratorContext): Promise<string> {
  const text = await context.read(CONFIG_FILE);
  if (text !== undefined) return text;
  throw noProject(context.root);
}

/** Checks that a folder is the root of a project. @throws FwError `FW_SCHEMATIC_NO_PROJECT` */
export function requireProject(root: string): void {
  if (!existsSync(path.join(root, CONFIG_FILE))) throw noProject(root);
}

const noProject = (root: string) => fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NO_PROJECT, { file: CONFIG_FILE, root });

/** Checks that a plugin is listed. @throws FwError `FW_SCHEMATIC_NEEDS`, `FW_SCHEMATIC_NO_PROJECT` */
export async function assertPlugin(
  context: GeneratorContext,
  module: string,
  what: string,
  feature: string,
): Promise<void> {
  if (new RegExp(`import\\(\\s*['"\`]${module}['"\`]`).test(await readConfig(context))) return;
  throw fwError(SCHEMATICS_ERRORS.FW_SCHEMATIC_NEEDS, { what, needed: module, feature });
}
