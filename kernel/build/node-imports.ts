import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';

/** Name of the plugin; it marks the plugin's errors among those of the bundler. */
export const NODE_IMPORTS = 'fw-node-imports';

/**
 * Reports imports by `#name` that TypeScript resolves and Node cannot when each file is compiled by itself: package.json maps them to a
 * source instead of its output, or has no entry for them. Other aliases of tsconfig.json are written as relative paths (see `aliases.ts`);
 * these keep their names, because Node resolves them itself.
 */
export function nodeImports(root: string): Plugin {
  return {
    name: NODE_IMPORTS,
    setup(build) {
      build.onResolve({ filter: /^#/ }, async ({ path: name, pluginData, ...rest }) => {
        if (pluginData === NODE_IMPORTS) return undefined;
        const found = await build.resolve(name, { ...rest, pluginData: NODE_IMPORTS });
        const file = found.errors.length > 0 || found.external ? undefined : path.relative(root, found.path);
        const problem = subpathProblem(name, root, file);
        return problem === undefined ? undefined : { errors: [{ text: problem }] };
      });
    },
  };
}

const REMEDY =
  'Import the file by a relative path, or by a name of package.json that leads the compiler to the source and Node to what is built: "imports": { "#app/*": { "types": "./app/*", "default": "./dist/app/*" } } and import "#app/....js"';

// The target must exist when dist/ runs: an output of this build, or a file that is no TypeScript.
function subpathProblem(name: string, root: string, file: string | undefined): string | undefined {
  const target = nodeTarget(importsOf(root), name);
  if (target === undefined)
    return file === undefined
      ? `"${name}" is no name of "imports" in package.json`
      : `"${name}" is an alias of tsconfig.json for ${slashed(file)}, and no name of "imports" in package.json. ${REMEDY}`;
  if (!target.startsWith('./')) return undefined;
  const wanted = file?.replace(/\.([cm]?)tsx?$/, '.$1js');
  const isOutput = wanted !== undefined && path.join('dist', wanted) === path.normalize(target);
  const isThere = !TYPESCRIPT.test(target) && existsSync(path.join(root, target));
  if (isOutput || (isThere && !path.normalize(target).startsWith(`dist${path.sep}`))) return undefined;
  return `"${name}" leads Node to ${target} by "imports" of package.json, which is not built from a source that the compiler finds by it. ${REMEDY}`;
}

const TYPESCRIPT = /\.[cm]?tsx?$/;
const slashed = (file: string) => file.split(path.sep).join('/');

interface Manifest {
  readonly imports?: unknown;
}

// The nearest one counts, as for Node.
function manifestOf(folder: string): Manifest {
  const file = path.join(folder, 'package.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const above = path.dirname(folder);
  return above === folder ? {} : manifestOf(above);
}

const importsOf = (root: string): Readonly<Record<string, unknown>> => {
  const { imports } = manifestOf(root);
  return typeof imports === 'object' && imports !== null ? (imports as Readonly<Record<string, unknown>>) : {};
};

// PACKAGE_IMPORTS_RESOLVE of https://nodejs.org/api/esm.html#resolution-algorithm-specification: the exact name, else the pattern with
// the longest beginning.
function nodeTarget(imports: Readonly<Record<string, unknown>>, name: string): string | undefined {
  if (Object.hasOwn(imports, name) && !name.includes('*')) return chosen(imports[name])?.toString();
  const [pattern] = Object.keys(imports)
    .filter((each) => each.split('*').length === 2 && fits(each, name))
    .sort((one, other) => other.indexOf('*') - one.indexOf('*') || other.length - one.length);
  if (pattern === undefined) return undefined;
  const [before = '', after = ''] = pattern.split('*');
  const part = name.slice(before.length, name.length - after.length);
  return chosen(imports[pattern])?.replaceAll('*', () => part);
}

function fits(pattern: string, name: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  return name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;
}

const CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'module-sync', 'default']);

function chosen(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return target.map(chosen).find((each) => each !== undefined);
  if (typeof target !== 'object' || target === null) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    const found = CONDITIONS.has(condition) ? chosen(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
