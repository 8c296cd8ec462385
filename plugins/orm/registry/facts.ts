import { createRequire } from 'node:module';
import type * as Semver from 'semver';

/**
 * What is known of a dialect without running its code: an element of `dialects` in the `fw.json` of a built-in one, of `fw.dialects` in the
 * package.json of a third party's.
 */
export interface DialectFacts {
  /** What `driver` says, and the name of its `Dialect`. */
  readonly name: string;
  /** Name for sentences. */
  readonly title: string;
  /** Module whose default export is the plugin: `fw/orm/sqlite`, or one of the package that has these facts. */
  readonly module: string;
  /** What talks to the database; left out where the dialect needs nothing but its own dependencies. */
  readonly driver?: DriverFacts | NodeDriver;
  readonly address: AddressFacts;
  /** A query whose only row has the version of the server in its only column; not needed where a handle says `about`. */
  readonly versionQuery?: string;
}

/** The npm package that talks to the database. */
export interface DriverFacts {
  readonly package: string;
  /** Versions to install, the first that fits first; `napi` is the least Node-API that one is for. The last fits every Node. */
  readonly versions: readonly { readonly version: string; readonly napi?: number }[];
  /** About its native code, for which npm must be allowed to run its scripts; left out where it has none. */
  readonly compiled?: CompiledFacts;
}

/** A module of Node itself that talks to the database: nothing is installed. */
export interface NodeDriver {
  /** As it is imported: `node:sqlite`. */
  readonly builtin: string;
  /** Range of the releases of Node that have it as the dialect needs it (https://github.com/npm/node-semver#ranges). */
  readonly node: string;
}

/** What is known of native code. */
export interface CompiledFacts {
  /** JavaScript (CommonJS) that loads it, and throws where it does not fit the Node that runs. */
  readonly trial: string;
  /** Folders of the package that nothing but compiling needs. */
  readonly sources?: readonly string[];
}

/** How a database is named in `app.config.ts`. */
export interface AddressFacts {
  /** Option of the plugin: `url`, `file`. */
  readonly option: string;
  /** Schemes of its URLs, without the colon. */
  readonly schemes?: readonly string[];
  readonly example: string;
  /** Environment variable that a new project reads it from. */
  readonly variable: string;
  /** What a new project uses where the variable is not set; only where this needs no server. */
  readonly default?: string;
  /** An address that gives every test a database of its own, without a server. */
  readonly inTests?: string;
}

/** What is wrong with something that should be facts of a dialect; undefined when nothing is. */
export function factsProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no object';
  const { name, driver, address } = value;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return 'name is no lower-case word';
  const text = (of: Record<string, unknown>, keys: readonly string[], at: string) =>
    keys.filter((key) => typeof of[key] !== 'string' || of[key] === '').map((key) => `${at}${key} is no text`);
  if (driver !== undefined && !isRecord(driver)) return 'driver is no object';
  if (!isRecord(address)) return 'address is no object';
  const [first] = [
    ...text(value, ['title', 'module'], ''),
    ...(driver === undefined ? [] : driverProblems(driver)),
    ...text(address, ['option', 'example', 'variable'], 'address.'),
    ...text(
      address,
      ['default', 'inTests'].filter((key) => address[key] !== undefined),
      'address.',
    ),
    ...(value['versionQuery'] === undefined ? [] : text(value, ['versionQuery'], '')),
    ...(address['schemes'] === undefined || isTexts(address['schemes']) ? [] : ['address.schemes is no list of texts']),
  ];
  return first;
}

function driverProblems(driver: Record<string, unknown>): readonly string[] {
  const { package: name, versions, builtin, node, compiled } = driver;
  if (builtin !== undefined) {
    return [
      ...(name === undefined ? [] : ['driver is a package and a module of Node at once']),
      ...(typeof builtin === 'string' && builtin.startsWith('node:')
        ? []
        : ['driver.builtin does not begin with node:']),
      ...(typeof node === 'string' && semver().validRange(node) !== null
        ? []
        : ['driver.node is no range of releases of Node']),
    ];
  }
  return [
    ...(typeof name === 'string' && name !== '' ? [] : ['driver.package is no text']),
    ...(Array.isArray(versions) && versions.length > 0 && versions.every(isVersion)
      ? []
      : ['driver.versions is no list of { version }']),
    ...compiledProblems(compiled),
  ];
}

function compiledProblems(compiled: unknown): readonly string[] {
  if (compiled === undefined) return [];
  if (!isRecord(compiled)) return ['driver.compiled is no object'];
  const { trial, sources = [] } = compiled;
  return [
    ...(typeof trial === 'string' && trial !== '' ? [] : ['driver.compiled.trial is no text']),
    ...(isTexts(sources) ? [] : ['driver.compiled.sources is no list of texts']),
  ];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

const isVersion = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['version'] === 'string' &&
  (value['napi'] === undefined || typeof value['napi'] === 'number');

/** The npm package that a dialect is driven by; undefined where there is none to install. */
export function driverPackage({ driver }: DialectFacts): DriverFacts | undefined {
  return driver !== undefined && 'package' in driver ? driver : undefined;
}

/** The module of Node that a dialect is driven by, where the Node that runs does not have it as the dialect needs it. */
export function missingBuiltin({ driver }: DialectFacts, version = process.versions.node): NodeDriver | undefined {
  if (driver === undefined || !('builtin' in driver)) return undefined;
  return semver().satisfies(version, driver.node, { includePrerelease: true }) ? undefined : driver;
}

// When it is needed: no dialect of the framework is driven by Node.
function semver(): typeof Semver {
  return createRequire(import.meta.url)('semver') as typeof Semver;
}

/** Version of the driver that runs on a Node; default the one that runs. */
export function driverVersion(
  { versions }: DriverFacts,
  { napi }: { readonly napi?: string | undefined } = process.versions as unknown as { readonly napi?: string },
): string {
  const fitting = versions.find((each) => each.napi === undefined || Number(napi) >= each.napi) ?? versions.at(-1);
  return fitting?.version ?? '*';
}
