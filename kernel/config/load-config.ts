import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fwError } from '../errors/index.js';
import { type AppConfig, isAppConfig } from './define-app.js';
import { loadEnvFiles } from './env-files.js';
import { CONFIG_ERRORS } from './errors.js';
import { mapStacks } from './map-stacks.js';
import { activeProfile } from './profile.js';

/** A configuration with the folder that its relative paths start from. */
export interface LoadedConfig {
  readonly config: AppConfig;
  /** The project folder. */
  readonly root: string;
  /** The file that was loaded. */
  readonly file: string;
}

/** Where a built project keeps its configuration, relative to the project folder. */
export const BUILT_CONFIG = path.join('dist', 'app.config.js');

/**
 * Loads an application's configuration, after the `.env` files of its folder. From then on stack traces name the sources of the modules
 * that it imports.
 *
 * @param given - a JavaScript file; default `dist/app.config.js` of the current folder, which `fw build` writes
 * @param profile - decides which `.env` files are read; default as {@link activeProfile} has it
 * @throws FwError `FW_CONFIG_NOT_FOUND`, `FW_CONFIG_NOT_AN_APP`, `FW_CONFIG_ENV_FILE`, and what the configuration throws
 */
export async function loadConfig(
  given?: string,
  { cwd = process.cwd(), profile }: { readonly cwd?: string; readonly profile?: string | undefined } = {},
): Promise<LoadedConfig> {
  const file = path.resolve(cwd, given ?? BUILT_CONFIG);
  if (!existsSync(file)) throw fwError(CONFIG_ERRORS.FW_CONFIG_NOT_FOUND, { path: file });
  if (/\.[cm]?ts$/.test(file)) throw fwError(CONFIG_ERRORS.FW_CONFIG_TYPESCRIPT, { path: file, built: BUILT_CONFIG });
  const root = given === undefined ? cwd : rootOf(file);
  loadEnvFiles(root, activeProfile(profile));
  mapStacks();
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  if (!isAppConfig(module.default)) {
    throw fwError(CONFIG_ERRORS.FW_CONFIG_NOT_AN_APP, { path: file, found: typeof module.default });
  }
  return { config: module.default, root, file };
}

// dist/app.config.js belongs to the project folder above dist/.
function rootOf(file: string): string {
  const folder = path.dirname(file);
  return path.basename(folder) === 'dist' ? path.dirname(folder) : folder;
}
