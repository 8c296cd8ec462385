import path from 'node:path';
import type { Metafile } from 'esbuild';
import { digestOf } from '../fs/index.js';

/** What a process can load before the application whose part it is. */
export interface LoadedAhead {
  /** Packages of the framework that the application imports: `fw/http`. */
  readonly packages: readonly string[];
  /** The built module that imports all models, relative to the project. Undefined where it imports what may not be loaded ahead. */
  readonly models: string | undefined;
  /** Tells apart what the models are: equal for modules that are the same. */
  readonly digest: string;
  /** Sources of what `models` loads, relative to the project. */
  readonly files: ReadonlySet<string>;
}

type Inputs = Metafile['inputs'];

const FRAMEWORK = /^fw(?:\/|$)/;
/** What the compiler adds by itself: the helpers of decorators. */
const RUNTIME = '<runtime>';
/** Modules of Node that only compute. */
const COMPUTING = /^(?:node:)?(?:assert|buffer|crypto|path|querystring|string_decoder|url|util)$/;
const TYPESCRIPT = /\.([cm]?)tsx?$/;

/**
 * Which modules of an application may be loaded ahead of it. Models may if they import only files of the project, the framework and modules
 * that only compute. A model that opens a connection when it is imported would otherwise do so in a process that does not serve.
 *
 * @param inputs - by file, relative to the project
 * @param generated - folder of the generated code, relative to the project
 * @param digestOfFile - of a source
 */
export function loadedAhead(
  inputs: Inputs,
  generated: string,
  digestOfFile: (file: string) => string | undefined,
): LoadedAhead {
  const packages = new Set(
    Object.values(inputs).flatMap(({ imports }) =>
      imports.filter(({ external, path: name }) => external && FRAMEWORK.test(name)).map(({ path: name }) => name),
    ),
  );
  const entry = path.posix.join(generated, 'index.ts');
  const files = isReached(inputs, entry) ? reachedFrom(inputs, entry) : undefined;
  if (files === undefined) return { packages: [...packages].sort(), models: undefined, digest: '', files: new Set() };
  const digest = digestOf([...files].sort().map((file) => `${file} ${digestOfFile(file)}`).join('\n')); // prettier-ignore
  const models = path.posix.join('dist', entry.replace(TYPESCRIPT, '.$1js'));
  return { packages: [...packages].sort(), models, digest, files };
}

// Generated code that the configuration does not name is not loaded.
const isReached = (inputs: Inputs, entry: string): boolean =>
  inputs['app.config.ts']?.imports.some(({ path: target }) => target === entry) ?? false;

// Undefined where one of them imports what may not be loaded ahead.
function reachedFrom(inputs: Inputs, entry: string): ReadonlySet<string> | undefined {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const { path: target, kind, external } of inputs[file]?.imports ?? []) {
      if (target === RUNTIME) continue;
      if (external ? !FRAMEWORK.test(target) && !COMPUTING.test(target) : !isStatic(kind, target)) return undefined;
      if (!external) reached.add(target);
    }
  }
  return reached;
}

const isStatic = (kind: string, target: string): boolean => kind === 'import-statement' && TYPESCRIPT.test(target);
