import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../../kernel/errors/index.js';
import { coversFramework, frameworkVersion, isFrameworkRange } from '../../kernel/plugin/index.js';
import { PLUGIN_CHECK_ERRORS } from './errors.js';
import { type CheckName, doubtful, type PluginProblem, wrong } from './problem.js';
import { isInside, isObject } from '../../kernel/values/index.js';

/** A plugin's package as its package.json describes it. */
export interface PluginPackage {
  readonly root: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Absolute path of the module that `import` loads; undefined when none is declared. */
  readonly entry: string | undefined;
  /** Absolute path of its declarations. */
  readonly types: string | undefined;
  /** Absolute paths of the JavaScript modules of its subpath exports, which may be plugins too. */
  readonly further: readonly string[];
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
  if (!isObject(manifest)) throw refuse('its package.json is not an object');
  const { name, exports, main, types } = manifest;
  const at = (target: unknown) => (typeof target === 'string' ? path.resolve(root, target) : undefined);
  const exported = exports === undefined ? main : rootExport(exports);
  return {
    root,
    manifest,
    name: typeof name === 'string' ? name : '',
    entry: at(targetOf(exported, CONDITIONS)),
    types:
      at(targetOf(exported, ['types'])) ??
      (exports === undefined || typeof exported === 'string' ? at(types) : undefined),
    further: furtherExports(exports)
      .map((target) => at(targetOf(target, CONDITIONS)))
      .filter((file) => file !== undefined)
      .filter((file) => /\.[cm]?js$/.test(file) && existsSync(file)),
  };
}

/** Mistakes in the package.json and its exports. */
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
  if (!isInside(entry, root))
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

/** Mistakes in the dependency on the framework. */
export function peerProblems({ manifest }: PluginPackage): readonly PluginProblem[] {
  const peer = entryOf(manifest, 'peerDependencies');
  const own = ['dependencies', 'optionalDependencies'].some((group) => entryOf(manifest, group) !== undefined);
  const development = entryOf(manifest, 'devDependencies');
  return [
    ...(own ? [wrong('peer', 'fw is a dependency of its own', `Move it to peerDependencies. ${SECOND_COPY}`)] : []),
    ...(peer === undefined
      ? [
          wrong(
            'peer',
            'fw is not a peer dependency',
            `Add "peerDependencies": { "fw": "^${frameworkVersion()}" }. ${SECOND_COPY}`,
          ),
        ]
      : rangeProblems('peer', 'the peer dependency fw', peer)),
    ...(peer !== undefined && !isOptionalPeer(manifest)
      ? [wrong('peer', 'fw is a peer dependency that npm installs', `Add ${OPTIONAL_PEER}. ${STRANGER}`)]
      : []),
    ...(comesFromRegistry(development)
      ? [
          wrong(
            'peer',
            'fw is a development dependency from the registry',
            `Name a packed fw: "file:vendor/fw.tgz". ${STRANGER}`,
          ),
        ]
      : []),
  ];
}

/** Mistakes in a range of framework releases. */
export function rangeProblems(check: CheckName, what: string, range: unknown): readonly PluginProblem[] {
  const version = frameworkVersion();
  const shown = JSON.stringify(range);
  if (!isFrameworkRange(range))
    return [
      wrong(
        check,
        `${what} is ${shown}, which says nothing`,
        `Name the releases that it is made for, e.g. "^${version}".`,
      ),
    ];
  return coversFramework(range, version)
    ? []
    : [
        wrong(
          check,
          `${what} is ${shown}, and this is fw ${version}`,
          'Try it with this release, then raise the range.',
        ),
      ];
}

/** The range of framework releases in package.json; undefined when it has none. */
export function peerRange({ manifest }: PluginPackage): unknown {
  return entryOf(manifest, 'peerDependencies');
}

const SECOND_COPY = 'The application then has two copies of fw, whose tokens and errors do not know each other.';
const STRANGER = 'In the registry the name fw belongs to somebody else, whose package would be installed and run.';
const OPTIONAL_PEER = '"peerDependenciesMeta": { "fw": { "optional": true } }';

function entryOf(manifest: PluginPackage['manifest'], group: string): unknown {
  const entries = manifest[group];
  return isObject(entries) ? entries['fw'] : undefined;
}

function isOptionalPeer({ peerDependenciesMeta: meta }: PluginPackage['manifest']): boolean {
  return isObject(meta) && isObject(meta['fw']) && meta['fw']['optional'] === true;
}

// Whether a specifier is a range, a tag such as "latest", or an alias: https://docs.npmjs.com/cli/configuring-npm/package-json#dependencies
function comesFromRegistry(specifier: unknown): boolean {
  return typeof specifier === 'string' && !/^(file|link|portal|workspace|git[+\w]*|https?):|^[./~]/.test(specifier);
}

type ExportTarget = unknown;

function rootExport(exports: ExportTarget): ExportTarget {
  const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
  return isMap ? (exports as Record<string, unknown>)['.'] : exports;
}

// Patterns are left out: their files are not meant as plugins.
function furtherExports(exports: ExportTarget): readonly ExportTarget[] {
  const named = isObject(exports) ? Object.entries(exports) : [];
  return named.filter(([key]) => key.startsWith('./') && !key.includes('*')).map(([, target]) => target);
}

const CONDITIONS = ['node', 'import', 'module-sync', 'default'];

// Node.js "Packages: Conditional exports": the first condition that holds, in the order of the object.
function targetOf(target: ExportTarget, conditions: readonly string[]): string | undefined {
  if (typeof target === 'string') return conditions.includes('default') ? target : undefined;
  if (Array.isArray(target)) return target.map((each) => targetOf(each, conditions)).find((each) => each !== undefined);
  if (!isObject(target)) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (!conditions.includes(condition)) continue;
    // Every target below the condition `types` is a declaration file.
    const found = targetOf(value, condition === 'types' ? ['types', 'import', 'default'] : conditions);
    if (found !== undefined) return found;
  }
  if (!conditions.includes('types')) return undefined;
  // `"import": { "types": ..., "default": ... }`
  const nested = ['import', 'node', 'default'].map((condition) => target[condition]).filter(isObject);
  return nested.map((each) => targetOf(each, conditions)).find((each) => each !== undefined);
}
