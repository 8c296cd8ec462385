import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder and all folders above it, the nearest first. */
export function foldersAbove(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** The nearest file of a name, in a folder or above it; undefined where there is none. @param name - may have folders in it */
export function fileAbove(folder: string, name: string): string | undefined {
  return foldersAbove(folder)
    .map((each) => path.join(each, name))
    .find((file) => existsSync(file));
}
