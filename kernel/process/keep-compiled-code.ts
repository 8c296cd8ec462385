import module from 'node:module';

/**
 * Lets Node keep the compiled form of what the process loads from now on, for the next start. Node 22.1 and later can
 * (https://nodejs.org/api/module.html#module-compile-cache) and honour `NODE_DISABLE_COMPILE_CACHE=1`; earlier ones compile
 * each time. Nothing depends on it: where the folder cannot be written, Node goes on without.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as unknown as { readonly enableCompileCache?: () => unknown };
  enableCompileCache?.();
}
