import { AppInfo, definePlugin, fwError, ModelCatalogue, ReadinessCheck, token } from '../../kernel/index.js';
import { QueryObserver } from '../../kernel/contracts/query-observer.js';
import type { DriverSettings } from './by-driver.js';
import { Database, ORM_ERRORS, registeredModels } from './core/index.js';
import { Databases, DatabaseSource, DatabaseSources, DEFAULT_DATABASE } from './dialect/index.js';
import { modelCatalogue } from './model-catalogue.js';
import { OpenDatabases } from './open-databases.js';
import { ormOptions } from './options.js';
import { ormProbe } from './probe.js';
import { prepareSchema, reportSchema } from './schema-at-start.js';
import { assertTemporal } from './temporal-at-start.js';

const Holder = token<OpenDatabases>('fw.orm.Holder');

/** Opens the application's databases at start and closes them last. */
export default definePlugin({
  id: 'orm',
  category: 'orm',
  description: 'Opens the database and provides it to the other plugins.',
  options: ormOptions,
  uses: [AppInfo],
  provides: [Database, Databases, DatabaseSources, Holder],
  // The start opens every database and creates tables, which may take long on a busy machine. Connections to servers have their own
  // deadlines.
  startDeadlineMs: 60_000,
  register({ options, bind, contribute, probe }) {
    const databases = new OpenDatabases();
    bind(Holder, () => databases);
    bind(Databases, () => databases);
    bind(Database, () => databases.get(DEFAULT_DATABASE));
    bind(DatabaseSources, (resolve) => ({
      all: () => sourcesOf(options, resolve.all(DatabaseSource), resolve.get(AppInfo).root),
    }));
    contribute(ModelCatalogue, () => modelCatalogue);
    contribute(ReadinessCheck, () => ({ name: 'database', check: (signal) => databases.ping(signal) }));
    probe('orm', ormProbe(databases));
  },
  async start({ options, profile, log, get, all }) {
    const { compiledQueryCacheSize, defaultTimeout, migrationsTable, validate, plugins = [] } = options;
    const { temporaryDatabase = false } = options;
    if (temporaryDatabase && profile === 'prod') {
      const expected = 'nothing in the profile prod, whose rows would be dropped at the stop';
      throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option: 'temporaryDatabase', expected, got: 'true' });
    }
    assertTemporal(registeredModels());
    const databases = get(Holder);
    const opened = {
      validate,
      plugins,
      observers: all(QueryObserver),
      // One hint per model, for developers.
      ...(profile === 'dev' && { onNote: (text: string) => log.warn(text) }),
      ...(migrationsTable !== undefined && { migrationsTable }),
      ...(compiledQueryCacheSize !== undefined && { compiledQueryCacheSize }),
      ...(defaultTimeout !== undefined && { executor: { defaultTimeout } }),
    };
    await databases.open(await get(DatabaseSources).all(), opened, temporaryDatabase);
    await prepareSchema({ options, profile, log, info: get(AppInfo), databases });
  },
  // Runs in the background; the listeners do not wait for it.
  ready({ options, profile, log, get }) {
    const databases = get(Holder);
    databases.beside(() => reportSchema({ options, profile, log, info: get(AppInfo), databases }));
  },
  stop: ({ get }) => get(Holder).close(),
});

// The database from the plugin's own options is not needed when the application lists the plugin of a dialect.
async function sourcesOf(
  options: DriverSettings,
  listed: readonly DatabaseSource[],
  root: string,
): Promise<readonly DatabaseSource[]> {
  const { driver, url, file } = options;
  const isListed = listed.some(({ name }) => name === DEFAULT_DATABASE);
  const isNamedHere = driver !== undefined || url !== undefined || file !== undefined;
  if (isListed && !isNamedHere) return listed;
  const { sourceByDriver } = await import('./by-driver.js');
  return [await sourceByDriver(options, root), ...listed];
}
