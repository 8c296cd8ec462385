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
  readonly driver: DriverFacts;
  readonly address: AddressFacts;
}

/** The npm package that talks to the database. */
export interface DriverFacts {
  readonly package: string;
  /** Versions to install, the first that fits first; `napi` is the least Node-API that one is for. The last fits every Node. */
  readonly versions: readonly { readonly version: string; readonly napi?: number }[];
  /** About its native code, for which npm must be allowed to run its scripts; left out where it has none. */
  readonly compiled?: CompiledFacts;
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
  if (!isRecord(driver)) return 'driver is no object';
  if (!isRecord(address)) return 'address is no object';
  const { versions } = driver;
  const [first] = [
    ...text(value, ['title', 'module'], ''),
    ...text(driver, ['package'], 'driver.'),
    ...(Array.isArray(versions) && versions.length > 0 && versions.every(isVersion)
      ? []
      : ['driver.versions is no list of { version }']),
    ...compiledProblems(driver['compiled']),
    ...text(address, ['option', 'example', 'variable'], 'address.'),
    ...text(
      address,
      ['default', 'inTests'].filter((key) => address[key] !== undefined),
      'address.',
    ),
    ...(address['schemes'] === undefined || isTexts(address['schemes']) ? [] : ['address.schemes is no list of texts']),
  ];
  return first;
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

/** Version of the driver that runs on a Node; default the one that runs. */
export function driverVersion(
  { versions }: DriverFacts,
  { napi }: { readonly napi?: string | undefined } = process.versions as unknown as { readonly napi?: string },
): string {
  const fitting = versions.find((each) => each.napi === undefined || Number(napi) >= each.napi) ?? versions.at(-1);
  return fitting?.version ?? '*';
}
