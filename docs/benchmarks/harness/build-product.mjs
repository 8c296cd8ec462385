import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The product's folder. */
export const PRODUCT_ROOT = ROOT;

/**
 * Builds `dist/`, so that what is measured is what the sources say.
 *
 * @param {{ readonly build: boolean }} settings - false measures what was built last
 */
export function buildProduct({ build }) {
  if (!build && existsSync(`${ROOT}dist/kernel/index.js`)) return;
  const { status } = spawnSync(process.execPath, ['kernel/build/build-framework.mjs'], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The product does not build, so there is nothing to measure.');
}
