import path from 'node:path';

/**
 * Whether a path is a folder or below it, both absolute. By whole names: `/shop-old` is not inside `/shop`, and `/shop/..old` is. Links are
 * not followed; what has to stay inside of a folder is asked of kernel/fs.
 */
export function isInside(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}
