import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../../kernel/errors/index.js';
import { PLUGIN_CHECK_ERRORS } from './errors.js';
import { doubtful, type PluginProblem, wrong } from './problem.js';

/** A plugin's package as its package.json describes it. */
export interface PluginPackage {
  readonly root: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Absolute path of what `import` loads; undefined when nothing is declared. */
  readonly entry: string | undefined;
  /** Absolute path of its declarations. */
  readonly types: string | undefined;
}

/** @throws FwError `FW_PLUGIN_CHECK_PACKAGE` */
export async function readPluginPackage(root: string): Promise<PluginPackage> {
  const file = path.join(root, 'package.json');
  const refuse = (problem: string, cause?: unknown) =>
    fwError(PLUGIN_CHECK_ERRORS.FW_PLUGIN_CHECK_PACKAGE, { path: root, problem }, { cause });
  if (!existsSync(file)) throw refuse('there is no package.json');
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw refuse('its package.json is not JSON', cause);
  }
  if (!isRecord(manifest)) throw refuse('its package.json is not an object');
  const { name, exports, main, types } = manifest;
  const at = (target: unknown) => (typeof target === 'string' ? path.resolve(root, target) : undefined);
  const exported = exports === undefined ? main : rootExport(exports);
  return {
    root,
    manifest,
    name: typeof name === 'string' ? name : '',
    entry: at(targetOf(exported, ['node', 'import', 'module-sync', 'default'])),
    types:
      at(targetOf(exported, ['types'])) ??
      (exports === undefined || typeof exported === 'string' ? at(types) : undefined),
  };
}

/** What is wrong with the package.json and with what it exports. */
export function packageProblems({ root, name, manifest, entry }: PluginPackage): readonly PluginProblem[] {
  const { version, description, license, type } = manifest;
  const isModule = type === 'module' || entry?.endsWith('.mjs') === true;
  return [
    ...(name === '' ? [wrong('package', 'it has no name', 'Give it the name that app.config.ts imports.')] : []),
    ...(typeof version === 'string' ? [] : [wrong('package', 'it has no version', 'Add a version, e.g. 1.0.0.')]),
    ...(isModule
      ? []
      : [wrong('package', 'it is not an ES module', 'Add "type": "module"; fw is imported, never required.')]),
    ...(typeof description === 'string' && typeof license === 'string'
      ? []
      : [doubtful('package', 'it lacks a description or a license', 'Add both: npm shows them.')]),
    ...exportProblems(root, manifest, entry),
  ];
}

function exportProblems(
  root: string,
  manifest: PluginPackage['manifest'],
  entry: string | undefined,
): readonly PluginProblem[] {
  if (entry === undefined)
    return [
      wrong(
        'exports',
        'nothing is exported',
        'Add "exports": { ".": { "types": "./index.d.ts", "default": "./index.js" } }.',
      ),
    ];
  const shown = path.relative(root, entry);
  if (shown.startsWith('..'))
    return [wrong('exports', `${shown} lies outside of the package`, 'Export a file of the package.')];
  if (!existsSync(entry))
    return [wrong('exports', `${shown} does not exist`, 'Build the package first, or correct the path.')];
  if (/\.[cm]?tsx?$/.test(entry))
    return [wrong('exports', `${shown} is TypeScript`, 'Compile it: Node loads no TypeScript from node_modules.')];
  return manifest['exports'] === undefined
    ? [
        doubtful(
          'exports',
          'it has main, but no exports',
          'Add exports: everything else of the package is then private.',
        ),
      ]
    : [];
}

/** What is wrong with how the package depends on the framework. */
export function peerProblems({ manifest }: PluginPackage): readonly PluginProblem[] {
  const has = (group: string) => isRecord(manifest[group]) && 'fw' in manifest[group];
  const second = 'The application then has two copies of fw, whose tokens and errors do not know each other.';
  return [
    ...(has('dependencies') || has('optionalDependencies')
      ? [wrong('peer', 'fw is a dependency of its own', `Move it to peerDependencies. ${second}`)]
      : []),
    ...(has('peerDependencies')
      ? []
      : [wrong('peer', 'fw is not a peer dependency', `Add "peerDependencies": { "fw": ">=0.1.0" }. ${second}`)]),
  ];
}

type ExportTarget = unknown;

function rootExport(exports: ExportTarget): ExportTarget {
  const isMap = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  return isMap ? (exports as Record<string, unknown>)['.'] : exports;
}

// Node.js "Packages: Conditional exports": the first condition that holds, in the order of the object.
function targetOf(target: ExportTarget, conditions: readonly string[]): string | undefined {
  if (typeof target === 'string') return conditions.includes('default') ? target : undefined;
  if (Array.isArray(target)) return target.map((each) => targetOf(each, conditions)).find((each) => each !== undefined);
  if (!isRecord(target)) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (!conditions.includes(condition)) continue;
    // Below the condition `types`, whatever holds is a declaration file.
    const found = targetOf(value, condition === 'types' ? ['types', 'import', 'default'] : conditions);
    if (found !== undefined) return found;
  }
  if (!conditions.includes('types')) return undefined;
  // `"import": { "types": ..., "default": ... }`
  const nested = ['import', 'node', 'default'].map((condition) => target[condition]).filter(isRecord);
  return nested.map((each) => targetOf(each, conditions)).find((each) => each !== undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
