import { withoutEnd } from '../../../kernel/values/index.js';
import { plainPath } from '../request-target.js';

/**
 * Tells whether a request is for a path that another process answers.
 *
 * @param held - paths, each with all that lies below it
 */
export function heldPaths(held: readonly string[]): (target: string | undefined) => boolean {
  const below = held.map((path) => `${withoutEnd(path, '/')}/`);
  return (target) => {
    const path = plainPath(target ?? '');
    return path !== undefined && below.some((prefix) => `${path}/`.startsWith(prefix));
  };
}
