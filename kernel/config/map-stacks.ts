import module from 'node:module';

type MapSupport = (enabled: boolean, options: { readonly nodeModules: boolean }) => void;

/**
 * Makes stack traces name the files and lines of an application's sources, as the source maps beside its built files have them. Source maps
 * of packages are left out where Node can tell them apart, from 22.14 on
 * (https://nodejs.org/api/module.html#modulesetsourcemapssupportenabled-options), because packages do not ship their sources.
 */
export function mapStacks(): void {
  const { setSourceMapsSupport } = module as typeof module & { readonly setSourceMapsSupport?: MapSupport };
  if (setSourceMapsSupport) setSourceMapsSupport(true, { nodeModules: false });
  else process.setSourceMapsEnabled(true);
}
