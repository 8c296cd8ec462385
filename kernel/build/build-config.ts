import type { Plugin } from 'esbuild';
import { CONFIG_FILE } from '../fs/index.js';
import { linking, outputsOf, ownSettings, reachedBy } from './build-app.js';
import { writeOutputs } from './write-outputs.js';

/**
 * Compiles `app.config.ts` to `dist/` with the files that it imports at once, and without what it only loads later, such as plugins: what
 * is wrong there does not keep the configuration from being read.
 *
 * @throws what the compiler fails with
 */
export async function buildConfig(root: string): Promise<void> {
  const settings = await ownSettings(root, [CONFIG_FILE]);
  const { plugins = [], ...options } = linking(root, [CONFIG_FILE], settings);
  const { build } = await import('esbuild');
  const { linked, aliases } = reachedBy(await build({ ...options, plugins: [LATER, ...plugins] }));
  const { outputs } = await outputsOf(root, linked, { settings, aliases });
  await writeOutputs(root, outputs, { isAll: false });
}

const LATER: Plugin = {
  name: 'fw-later-imports',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) => (kind === 'dynamic-import' ? { path, external: true } : null));
  },
};
