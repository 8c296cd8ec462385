import path from 'node:path';
import type { BuildResult } from 'esbuild';

/**
 * What other modules and the resolution of imports see of a compiled module: its imports with the names that it takes, and the names of its
 * exports. Two versions of a file with the same shape fit into an application in the same way.
 */
export type ModuleShape = string;

// The compiler begins each statement of a module at the beginning of a line.
const STATEMENT = /^(?:import|export)\b[^;]*;/gm;
/** An import of a whole namespace: which of its names the module uses may stand anywhere in the text. */
const NAMESPACE = /^import\b[^;]*\* as /m;

/** The shapes of what one run compiled, by source; without those of modules that import a whole namespace. */
export function shapesOf(root: string, { metafile, outputFiles = [] }: BuildResult): ReadonlyMap<string, ModuleShape> {
  const shapes = new Map<string, ModuleShape>();
  const byPath = new Map(outputFiles.map((file) => [file.path, file]));
  for (const [output, { entryPoint, imports, exports }] of Object.entries(metafile?.outputs ?? {})) {
    const text = entryPoint && byPath.get(path.resolve(root, output))?.text;
    if (entryPoint === undefined || text === undefined || NAMESPACE.test(text)) continue;
    shapes.set(entryPoint, JSON.stringify([imports, exports, text.match(STATEMENT)]));
  }
  return shapes;
}
