import { createRequire } from 'node:module';

/** Version of the framework, from its package.json. */
export function frameworkVersion(): string {
  // The package refers to itself, so that this works from the sources and from dist/ alike.
  const { version } = createRequire(import.meta.url)('fw/package.json') as { version: string };
  return version;
}
