import { existsSync } from 'node:fs';
import path from 'node:path';

/** The file that makes a folder a project. */
export const CONFIG_FILE = 'app.config.ts';

/**
 * The project that a folder belongs to: the folder itself, or the nearest one above it, that has an app.config.ts. The folder
 * itself when there is none, so that an error names what the caller meant.
 */
export function projectRoot(folder: string): string {
  let at = path.resolve(folder);
  while (!existsSync(path.join(at, CONFIG_FILE))) {
    const above = path.dirname(at);
    if (above === at) return folder;
    at = above;
  }
  return at;
}
