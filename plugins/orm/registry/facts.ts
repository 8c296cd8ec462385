import { createRequire } from 'node:module';
import type * as Semver from 'semver';
import { isObject } from '../../../kernel/values/index.js';

/**
 * What is known of a dialect without running its code: an element of `dialects` in the `fw.json` of a built-in dialect, or of `fw.dialects`
 * in the package.json of a third-party one.
 */
export interface DialectFacts {
  /** Value of the option `driver`, and the name of its `Dialect`. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Module whose default export is the plugin: `fw/orm/sqlite`, or a module of the package with these facts. */
  readonly module: string;
  /** The database driver; left out if the dialect needs only its own dependencies. */
  readonly driver?: DriverFacts | NodeDriver;
  /** Node modules that replace the driver if the option `client` names them. */
  readonly clients?: readonly NodeDriver[];
  readonly address: AddressFacts;
  /** A query whose single value is the version of the server; not needed if the handle has `about`. */
  readonly versionQuery?: string;
}

/** The npm package that talks to the database. */
export interface DriverFacts {
  readonly package: string;
  /**
   * Versions to install; the first one that fits is used. `napi` is the lowest Node-API version that it needs. The last one fits every
   * Node.
   */
  readonly versions: readonly { readonly version: string; readonly napi?: number }[];
  /** Facts of its native code, which needs npm to run install scripts; left out if it has none. */
  readonly compiled?: CompiledFacts;
}

/** A module of Node itself that talks to the database: nothing is installed. */
export interface NodeDriver {
  /** Import specifier: `node:sqlite`. */
  readonly builtin: string;
  /** Range of the Node releases whose module has what the dialect needs (https://github.com/npm/node-semver#ranges). */
  readonly node: string;
}

/** Facts of native code. */
export interface CompiledFacts {
  /** JavaScript (CommonJS) that loads the native code, and throws if it does not fit the running Node. */
  readonly trial: string;
  /** Folders of the package that only compiling needs. */
  readonly sources?: readonly string[];
}

/** How `app.config.ts` addresses a database. */
export interface AddressFacts {
  /** Option of the plugin: `url`, `file`. */
  readonly option: string;
  /** Schemes of its URLs, without the colon. */
  readonly schemes?: readonly string[];
  readonly example: string;
  /** Environment variable from which a new project reads the address. */
  readonly variable: string;
  /** Address that a new project uses if the variable is not set; only for addresses without a server. */
  readonly default?: string;
  /** An address that gives every test its own database without a server. */
  readonly inTests?: string;
  /** Whether the option `temporaryDatabase` of `fw/orm` can make a database beside an address. */
  readonly temporary?: boolean;
}

/** The first problem of a value that should be facts of a dialect; undefined when it has none. */
export function factsProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is no object';
  const { name, driver, clients = [], address } = value;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return 'name is no lower-case word';
  const text = (of: Record<string, unknown>, keys: readonly string[], at: string) =>
    keys.filter((key) => typeof of[key] !== 'string' || of[key] === '').map((key) => `${at}${key} is no text`);
  if (driver !== undefined && !isObject(driver)) return 'driver is no object';
  if (!isObject(address)) return 'address is no object';
  const [first] = [
    ...text(value, ['title', 'module'], ''),
    ...(driver === undefined ? [] : driverProblems(driver)),
    ...clientProblems(clients),
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

function clientProblems(clients: unknown): readonly string[] {
  if (!Array.isArray(clients)) return ['clients is no list'];
  return clients.flatMap((client: unknown) => {
    if (!isObject(client) || client['builtin'] === undefined) return ['clients has what is no module of Node'];
    return driverProblems(client);
  });
}

function compiledProblems(compiled: unknown): readonly string[] {
  if (compiled === undefined) return [];
  if (!isObject(compiled)) return ['driver.compiled is no object'];
  const { trial, sources = [] } = compiled;
  return [
    ...(typeof trial === 'string' && trial !== '' ? [] : ['driver.compiled.trial is no text']),
    ...(isTexts(sources) ? [] : ['driver.compiled.sources is no list of texts']),
  ];
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');

const isVersion = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['version'] === 'string' &&
  (value['napi'] === undefined || typeof value['napi'] === 'number');

/** The npm package of a dialect's driver; undefined if none must be installed. */
export function driverPackage({ driver }: DialectFacts): DriverFacts | undefined {
  return driver !== undefined && 'package' in driver ? driver : undefined;
}

/** The Node module that a dialect needs and the running Node does not have in a suitable version; undefined if none is missing. */
export function missingBuiltin({ driver }: DialectFacts, version = process.versions.node): NodeDriver | undefined {
  if (driver === undefined || !('builtin' in driver)) return undefined;
  return semver().satisfies(version, driver.node, { includePrerelease: true }) ? undefined : driver;
}

/** Allowed values of the option `client`: the package of the driver, which is the default, and its replacements. */
export function clientNames({ driver, clients = [] }: DialectFacts): readonly string[] {
  const first = driver === undefined ? [] : 'package' in driver ? [driver.package] : [driver.builtin];
  return [...first, ...clients.map(({ builtin }) => builtin)];
}

/** The facts of a dialect with one of its {@link clientNames} as driver; undefined for any other name. */
export function throughClient(facts: DialectFacts, client: string): DialectFacts | undefined {
  if (client === clientNames(facts)[0]) return facts;
  const driver = facts.clients?.find(({ builtin }) => builtin === client);
  return driver && { ...facts, driver };
}

// Loaded on demand: no built-in dialect needs it.
function semver(): typeof Semver {
  return createRequire(import.meta.url)('semver') as typeof Semver;
}

/** Version of the driver for a release of Node; default: the running one. */
export function driverVersion(
  { versions }: DriverFacts,
  { napi }: { readonly napi?: string | undefined } = process.versions as unknown as { readonly napi?: string },
): string {
  const fitting = versions.find((each) => each.napi === undefined || Number(napi) >= each.napi) ?? versions.at(-1);
  return fitting?.version ?? '*';
}
