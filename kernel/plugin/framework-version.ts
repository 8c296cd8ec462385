import { createRequire } from 'node:module';
import path from 'node:path';

/** Version of the framework, from its package.json. */
export function frameworkVersion(): string {
  // A self-reference of the package, which works from the sources and from dist/.
  const { version } = createRequire(import.meta.url)('fw/package.json') as { version: string };
  return version;
}

/** Folder of the framework's package: a checkout, or what npm installed into a project. */
export function frameworkFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('fw/package.json'));
}
