import { type Project, ts } from 'ts-morph';
import type { GeneratorInput } from '../engine/generator.js';
import { portable } from '../engine/globs.js';
import { bare, Evaluator, ForeignValue, FunctionValue, unresolvedOf } from '../evaluator/index.js';
import { moduleResolverOf } from '../program/index.js';
import { modelSchemasOf } from './model-schemas.js';
import { ModuleReader } from './module-reader.js';
import type { RouteEntry } from './route-entry.js';
import type { ModelSchemas } from './route-options.js';

/** The routes of a project, read from its sources. */
interface RouteReading {
  /** Sorted by path, then method, then place. */
  readonly entries: readonly RouteEntry[];
  /** Absolute paths of the files that decide them. */
  readonly sources: readonly string[];
}

const readings = new WeakMap<GeneratorInput, RouteReading>();

/**
 * Reads the route modules of a project: every call of `routes` from `fw/http` in the files that the `routes` globs match.
 * Done once per run, however many generators ask.
 */
export function readRoutes(
  input: GeneratorInput,
  modelsOf: (project: Project) => ModelSchemas = modelSchemasOf,
): RouteReading {
  const known = readings.get(input);
  if (known) return known;
  const modules = moduleResolverOf(input.project);
  const evaluator = new Evaluator(modules);
  const reader = new ModuleReader({
    evaluator,
    models: modelsOf(input.project),
    shown: (file) => portable(input.root, file),
  });
  for (const file of input.routes) {
    input.step?.(`reading ${input.routes.length} route modules`);
    for (const call of routesCalls(file.compilerNode, evaluator)) reader.read(call);
  }
  const files = [...input.routes.map((file) => file.getFilePath() as string), ...evaluator.takeFiles()];
  const reading = {
    entries: reader.entries.sort(byPath),
    sources: [...new Set(files.flatMap((file) => modules.sourcesOf(file)))].sort(),
  };
  readings.set(input, reading);
  return reading;
}

function routesCalls(file: ts.SourceFile, evaluator: Evaluator): readonly ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isRoutes(node.expression, evaluator)) found.push(node);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

// `routes`, `import { routes as declare }` and `http.routes` alike.
function isRoutes(callee: ts.Expression, evaluator: Evaluator): boolean {
  const node = bare(callee);
  if (!ts.isIdentifier(node) && !(ts.isPropertyAccessExpression(node) && node.name.text === 'routes')) return false;
  try {
    const value = evaluator.evaluate(node);
    if (value instanceof ForeignValue) return value.module === 'fw/http' && value.name === 'routes';
    return value instanceof FunctionValue && value.node.name?.getText() === 'routes';
  } catch (error) {
    if (unresolvedOf(error)) return false;
    throw error;
  }
}

function byPath(a: RouteEntry, b: RouteEntry): number {
  return compare(a.path, b.path) || compare(a.method, b.method) || compare(a.file, b.file) || a.line - b.line;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
