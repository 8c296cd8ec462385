import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fwError } from '../../kernel/errors/index.js';
import { ROUTE_REGISTRY_ERRORS } from './errors.js';
import type { RouteEntry } from './route-entry.js';

/** Name of the registry in `generated/`. */
export const REGISTRY_FILE = 'routes.json';

/** The registry of a project's routes. */
export interface RouteRegistry {
  /** Absolute path. */
  readonly file: string;
  readonly routes: readonly RouteEntry[];
}

/**
 * Reads the registry that `fw codegen` wrote. Nothing is parsed or run, so it also works on a project that does not compile.
 *
 * @param root - project folder
 * @throws FwError `FW_ROUTES_NO_REGISTRY`, `FW_ROUTES_DAMAGED`
 */
export function readRouteRegistry(root: string): RouteRegistry {
  const file = path.join(outDirOf(path.resolve(root)), REGISTRY_FILE);
  if (!existsSync(file)) throw fwError(ROUTE_REGISTRY_ERRORS.FW_ROUTES_NO_REGISTRY, { path: file });
  return { file, routes: parseRouteRegistry(readFileSync(file, 'utf8'), file) };
}

// Reads the folder by a regular expression, because loading the parser for one path takes too long.
function outDirOf(root: string): string {
  const config = path.join(root, 'app.config.ts');
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  const specifier = /\bgenerated\s*:\s*(?:async\s*)?\(\)\s*=>\s*import\(\s*(['"`])(\.[^'"`]+)\1/.exec(text)?.[2];
  return path.resolve(root, path.dirname(specifier ?? './generated/index.js'));
}

/**
 * The entries in the text of a registry.
 * @param file - for the error
 * @throws FwError `FW_ROUTES_DAMAGED`
 */
export function parseRouteRegistry(text: string, file: string): readonly RouteEntry[] {
  const damaged = (problem: string) => fwError(ROUTE_REGISTRY_ERRORS.FW_ROUTES_DAMAGED, { path: file, problem });
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (cause) {
    throw damaged((cause as Error).message);
  }
  if (!Array.isArray(entries)) throw damaged('it is not an array');
  return entries as readonly RouteEntry[];
}
