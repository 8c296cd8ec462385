import path from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { fwError } from '../errors/index.js';
import { BUILD_ERRORS } from './errors.js';

/** By file: its import specifiers that only the `paths` of tsconfig.json resolve, and the specifier that Node reads instead. */
export type Aliases = ReadonlyMap<string, ReadonlyMap<string, string>>;

const SOURCE = /\.([cm]?)tsx?$/;

/**
 * The imports that TypeScript follows by `paths` or `baseUrl` (https://www.typescriptlang.org/tsconfig/#paths) and Node does not.
 * They lead to files of the project, which are built beside each other.
 *
 * @throws FwError `FW_BUILD_OUTSIDE` when an import of any form leads out of the project, where nothing is built
 */
export function aliasesIn(inputs: Metafile['inputs']): Aliases {
  const aliases = new Map<string, Map<string, string>>();
  const outside: string[] = [];
  for (const [file, { imports }] of Object.entries(inputs)) {
    for (const { path: target, original, external } of imports) {
      if (external || original === undefined) continue;
      if (target.startsWith('../') && !file.startsWith('../'))
        outside.push(`${file} imports ${original}, which is ${target}`);
      if (isOfNode(original)) continue;
      const known = aliases.get(file) ?? new Map<string, string>();
      aliases.set(file, known.set(original, specifier(file, target)));
    }
  }
  if (outside.length > 0) throw fwError(BUILD_ERRORS.FW_BUILD_OUTSIDE, { problems: outside.join('\n') });
  return aliases;
}

/** Writes imports as {@link aliasesIn} says, and leaves all others as they are. */
export function aliasPlugin(root: string, aliases: Aliases): Plugin {
  return {
    name: 'aliases',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path: asked, importer, kind }) => {
        if (kind === 'entry-point') return undefined;
        const file = path.relative(root, importer).split(path.sep).join('/');
        return { path: aliases.get(file)?.get(asked) ?? asked, external: true };
      });
    },
  };
}

// Relative ones, those of the package's own `imports`, and URLs.
const isOfNode = (name: string): boolean => /^[./#]/.test(name) || /^[a-z][a-z0-9+.-]+:/i.test(name);

function specifier(file: string, target: string): string {
  // A file that is not compiled stays outside of dist/, so its path starts from dist/.
  const from = path.posix.dirname(SOURCE.test(target) ? file : path.posix.join('dist', file));
  const way = path.posix.relative(from, target.replace(SOURCE, '.$1js'));
  return way.startsWith('.') ? way : `./${way}`;
}
