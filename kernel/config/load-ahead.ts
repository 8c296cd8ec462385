import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AheadModules } from '../dev/index.js';
import { loadEnvFiles } from './env-files.js';
import { BUILT_CONFIG } from './load-config.js';
import { mapStacks } from './map-stacks.js';
import { activeProfile } from './profile.js';

/**
 * Loads modules that a configuration needs before it is loaded itself, in the environment that it will have. What fails here fails again,
 * and is reported, when the application asks for it.
 */
export async function loadAhead(root: string, { packages, models }: AheadModules, profile?: string): Promise<void> {
  try {
    loadEnvFiles(root, activeProfile(profile));
  } catch {
    return;
  }
  mapStacks();
  const { resolve } = createRequire(path.join(root, BUILT_CONFIG));
  const load = async (find: () => string): Promise<unknown> => import(pathToFileURL(find()).href);
  await Promise.allSettled(packages.map((name) => load(() => resolve(name))));
  if (models !== undefined) await Promise.allSettled([load(() => path.join(root, models))]);
}
