import type { GeneratedFile } from './generator.js';

/** The module that `app.config.ts` imports as `generated`. */
export const INDEX_MODULE = 'index.ts';

/** The statement by which a generated module imports another one. @param name - of its file */
export const importOf = (name: string): string => `import './${name.replace(/\.ts$/, '.js')}';`;

/**
 * `generated/index.ts`: imports every generated module, so that each has registered its content before a plugin starts.
 * @param files - what all generators made
 */
export function indexModule(files: readonly GeneratedFile[]): GeneratedFile {
  const modules = files
    .map((file) => file.path)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .sort();
  const imports = modules.map((name) => `${importOf(name)}\n`);
  return { path: INDEX_MODULE, content: imports.length > 0 ? imports.join('') : 'export {};\n', sources: [] };
}
