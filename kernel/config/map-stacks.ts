import module from 'node:module';

const NODES_DEPTH = 10;
// Each frame more costs every error that is made, those of refused requests too.
const DEPTH = 25;

type MapSupport = (enabled: boolean, options: { readonly nodeModules: boolean }) => void;

/**
 * Makes stack traces name the files and lines of an application's sources, as the source maps beside its built files have them. Source maps
 * of packages are left out where Node can tell them apart, from 22.14 on
 * (https://nodejs.org/api/module.html#modulesetsourcemapssupportenabled-options), because packages do not ship their sources.
 *
 * They go deeper than Node's ten frames, all of which may be the framework's: a query that fails has some fifteen below the line of the
 * application. Whoever set another number keeps it.
 */
export function mapStacks(): void {
  if (Error.stackTraceLimit === NODES_DEPTH) Error.stackTraceLimit = DEPTH;
  const { setSourceMapsSupport } = module as typeof module & { readonly setSourceMapsSupport?: MapSupport };
  if (setSourceMapsSupport) setSourceMapsSupport(true, { nodeModules: false });
  else process.setSourceMapsEnabled(true);
}
