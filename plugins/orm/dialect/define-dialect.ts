import path from 'node:path';
import type { TObject } from 'typebox';
import {
  AppInfo,
  definePlugin,
  fwError,
  type OptionsInput,
  type Plugin,
  type ResolvedOptions,
} from '../../../kernel/index.js';
import { ORM_ERRORS, type Dialect, type SqlHandle } from '../core/index.js';
import type { ReaderRequest, ReaderSetup, ReadRequest, ReadRows } from './reading.js';
import { DatabaseSource, Databases, DEFAULT_DATABASE, isDatabaseName, databaseNamed } from './database-source.js';

/** What {@link defineDialect} takes. Stable until the next major release. */
export interface DialectDefinition<Options extends TObject> {
  /** Id of the plugin: the npm name of the package. */
  readonly id: string;
  /** One sentence for the boot report. */
  readonly description: string;
  /** Releases of the framework that a published dialect is made for, as `definePlugin` takes it. */
  readonly fw?: string;
  readonly dialect: Dialect;
  /** Schema of what it takes to open a database; {@link serverOptions} has what servers share. */
  readonly options: Options;
  /**
   * Opens a database. Called once per database, while the application starts.
   *
   * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`, `FW_ORM_CONNECTION`
   */
  open(options: ResolvedOptions<Options>): Promise<SqlHandle>;
  /**
   * Runs one statement that nobody has looked at, where the database itself can be made to refuse whatever does more than read.
   *
   * @throws FwError `FW_ORM_READ_LOGIN`, `FW_ORM_READ_REFUSED`
   */
  read?(options: ResolvedOptions<Options>, request: ReadRequest): Promise<ReadRows>;
  /** How a login is made that only reads; for servers, whose logins have rights. */
  reader?(options: ResolvedOptions<Options>, request: ReaderRequest): Promise<ReaderSetup>;
}

/** A dialect as `app.config.ts` takes it. Stable until the next major release. */
export interface DialectPlugin<Input = unknown> extends Plugin<Input> {
  readonly dialect: Dialect;
  /**
   * The same dialect for a further database, which `databaseNamed(name)` stands for.
   *
   * @param name - a lower-case word, such as `reports`
   * @throws FwError `FW_ORM_OPTIONS`
   * @example plugin(() => import('fw/orm/postgres').then((dialect) => dialect.default.named('reports')), { url })
   */
  named(name: string): Plugin<Input>;
  /**
   * The database that some options describe; they are checked already.
   *
   * @param root - where a relative path in the option `file` starts; default the working directory
   */
  source(name: string, options: Readonly<Record<string, unknown>>, root?: string): DatabaseSource;
}

/**
 * Declares a dialect of the ORM as a plugin: listed in `app.config.ts` beside `fw/orm`, it brings the application's database.
 * Stable until the next major release.
 *
 * @throws FwError `FW_PLUGIN_MANIFEST`, `FW_PLUGIN_FRAMEWORK`
 * @example
 * export default defineDialect({ id: 'fw-dialect-pglite', description: 'PGlite.', dialect: pglite, options, open });
 */
export function defineDialect<Options extends TObject>(
  definition: DialectDefinition<Options>,
): DialectPlugin<OptionsInput<Options>> {
  const { id, description, fw, dialect, options } = definition;
  const source: DialectPlugin['source'] = (name, given, root = process.cwd()) => sourceOf(name, placedIn(root, given));
  const sourceOf = (name: string, given: Readonly<Record<string, unknown>>): DatabaseSource => ({
    name,
    dialect,
    address: addressIn(given),
    open: () => definition.open(given as ResolvedOptions<Options>),
    ...(dialect.schema.listDatabases !== undefined && {
      openTemporary: async () => {
        const { temporaryDatabase } = await import('./temporary-database.js');
        const at = (url: string): Readonly<Record<string, unknown>> => ({ ...given, url });
        const open = (url: string) => definition.open(at(url) as ResolvedOptions<Options>);
        return temporaryDatabase({ url: String(given['url']), dialect, open });
      },
    }),
    ...(definition.read && {
      read: (request) => definition.read?.(given as ResolvedOptions<Options>, request) as never,
    }),
    ...(definition.reader && { reader: (request) => definition.reader?.(given as ResolvedOptions<Options>, request) as never }), // prettier-ignore
  });
  const pluginFor = (pluginId: string, name: string) =>
    definePlugin<Options>({
      id: pluginId,
      category: 'orm',
      description,
      options,
      ...(fw !== undefined && { fw }),
      needs: ['orm'],
      uses: [AppInfo],
      // `Database` itself is the plugin's of the ORM: it is there whichever dialect is.
      provides: name === DEFAULT_DATABASE ? [] : [databaseNamed(name)],
      register({ options: given, bind, contribute }) {
        contribute(DatabaseSource, (resolve) =>
          source(name, given as Readonly<Record<string, unknown>>, resolve.get(AppInfo).root),
        );
        if (name !== DEFAULT_DATABASE) bind(databaseNamed(name), (resolve) => resolve.get(Databases).get(name));
      },
    });
  return Object.assign(pluginFor(id, DEFAULT_DATABASE), {
    dialect,
    source,
    named: (name: string) => pluginFor(`${id}/${checkedName(name)}`, name),
  });
}

// In memory, or a URL.
const NO_PATH = /^(?:$|:|[a-z][a-z0-9+.-]+:)/i;

// An application has one database, from whichever folder it is started.
function placedIn(root: string, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { file } = given;
  return typeof file !== 'string' || NO_PATH.test(file) ? given : { ...given, file: path.resolve(root, file) };
}

// As every dialect of the framework calls it.
function addressIn({ url, file }: Readonly<Record<string, unknown>>): DatabaseSource['address'] {
  if (typeof url === 'string') return { url };
  return typeof file === 'string' ? { file } : undefined;
}

function checkedName(name: unknown): string {
  if (typeof name === 'string' && isDatabaseName(name) && name !== DEFAULT_DATABASE) return name;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, {
    option: 'name',
    expected: `a lower-case word such as reports, and not ${DEFAULT_DATABASE}`,
    got: typeof name === 'string' ? JSON.stringify(name) : typeof name,
  });
}

/** True for what {@link defineDialect} returns, of any copy of the package. */
export function isDialectPlugin(value: unknown): value is DialectPlugin {
  const { dialect, source } = (value ?? {}) as Partial<DialectPlugin>;
  return typeof dialect?.name === 'string' && typeof source === 'function';
}
