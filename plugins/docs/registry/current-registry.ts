import { DocsRegistry } from './docs-registry.js';

/** Title of an API that gives none. */
export const DEFAULT_TITLE = 'fw API';
/** Version of an API that gives none. */
export const DEFAULT_VERSION = '1.0.0';

// Before an application has booted, the library's functions read the calls of `doc` alone.
let current = new DocsRegistry({ api: { title: DEFAULT_TITLE, version: DEFAULT_VERSION, description: '' } });

/** The registry that the functions without arguments read: of the application that booted last in this process. */
export function currentRegistry(): DocsRegistry {
  return current;
}

/** Makes a registry the current one. */
export function useRegistry(registry: DocsRegistry): void {
  current = registry;
}
