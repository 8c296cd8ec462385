import path from 'node:path';
import { isObject } from '../../kernel/values/index.js';

/** An export path of a package, and the sources behind it. */
export interface ExportTarget {
  /** `@acme/models/base`. */
  readonly specifier: string;
  /** Absolute paths, with forward slashes; files need not exist. */
  readonly sources: readonly string[];
}

/**
 * The sources behind the exports of a package, according to the layout of `fw build`: `dist/models/base.js` is built from `models/base.ts`.
 * Patterns (`./*`) are left out, because they name no module.
 */
export function exportTargets(
  { name, exports, main }: { readonly name?: string; readonly exports?: unknown; readonly main?: unknown },
  root: string,
): readonly ExportTarget[] {
  if (name === undefined) return [];
  return subpathsOf(exports ?? main).map(([subpath, target]) => ({
    specifier: `${name}${subpath.slice(1)}`,
    sources: [...new Set(outputsIn(target))].map((output) => path.posix.join(root.split(path.sep).join('/'), output)),
  }));
}

function subpathsOf(exports: unknown): readonly (readonly [string, unknown])[] {
  const isMap = isObject(exports) && Object.keys(exports).every((key) => key.startsWith('.'));
  const all = isMap ? Object.entries(exports) : [['.', exports] as const];
  return all.filter(([subpath]) => !subpath.includes('*'));
}

// The outputs of all conditions.
function outputsIn(target: unknown): readonly string[] {
  if (typeof target === 'string') {
    const [, stem, kind] = /^(?:\.\/)?dist\/(.+?)(?:\.d)?\.([cm]?)[jt]s$/.exec(target) ?? [];
    return stem === undefined ? [] : [`${stem}.${kind}ts`];
  }
  if (Array.isArray(target)) return target.flatMap(outputsIn);
  return isObject(target) ? Object.values(target).flatMap(outputsIn) : [];
}
