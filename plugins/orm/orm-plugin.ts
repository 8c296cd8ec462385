import { AppInfo, definePlugin, ModelCatalogue, ReadinessCheck, token } from '../../kernel/index.js';
import { QueryObserver } from '../../kernel/contracts/query-observer.js';
import type { DriverSettings } from './by-driver.js';
import { Database } from './core/index.js';
import { Databases, DatabaseSource, DEFAULT_DATABASE } from './dialect/index.js';
import { modelCatalogue } from './model-catalogue.js';
import { OpenDatabases } from './open-databases.js';
import { ormOptions } from './options.js';
import { ormProbe } from './probe.js';
import { prepareSchema, reportSchema } from './schema-at-start.js';

const Holder = token<OpenDatabases>('fw.orm.Holder');

/** Opens the application's databases at start and closes them last. */
export default definePlugin({
  id: 'orm',
  category: 'orm',
  description: 'Opens the database and provides it to the other plugins.',
  options: ormOptions,
  uses: [AppInfo],
  provides: [Database, Databases, Holder],
  // It opens every database, and makes tables: one in the process may have to be made first, on a busy machine. Servers have deadlines
  // of their own.
  startDeadlineMs: 60_000,
  register({ bind, contribute, probe }) {
    const databases = new OpenDatabases();
    bind(Holder, () => databases);
    bind(Databases, () => databases);
    bind(Database, () => databases.get(DEFAULT_DATABASE));
    contribute(ModelCatalogue, () => modelCatalogue);
    contribute(ReadinessCheck, () => ({ name: 'database', check: (signal) => databases.ping(signal) }));
    probe('orm', ormProbe(databases));
  },
  async start({ options, profile, log, get, all }) {
    const { compiledQueryCacheSize, defaultTimeout, validate, driver, url, file, plugins = [] } = options;
    const listed = all(DatabaseSource);
    const databases = get(Holder);
    const isListed = listed.some(({ name }) => name === DEFAULT_DATABASE);
    const isNamedHere = driver !== undefined || url !== undefined || file !== undefined;
    const sources = isListed && !isNamedHere ? listed : [await ownSource(options, get(AppInfo).root), ...listed];
    await databases.open(sources, {
      validate,
      plugins: [...plugins, ...all(QueryObserver)],
      // Once per model, for whoever develops.
      ...(profile === 'dev' && { onNote: (text: string) => log.warn(text) }),
      ...(compiledQueryCacheSize !== undefined && { compiledQueryCacheSize }),
      ...(defaultTimeout !== undefined && { executor: { defaultTimeout } }),
    });
    await prepareSchema({ options, profile, log, info: get(AppInfo), databases });
  },
  // Nobody waits for it, the listeners least of all.
  ready({ options, profile, log, get }) {
    const databases = get(Holder);
    databases.beside(() => reportSchema({ options, profile, log, info: get(AppInfo), databases }));
  },
  stop: ({ get }) => get(Holder).close(),
});

// What an application that lists a dialect's plugin does without.
async function ownSource(options: DriverSettings, root: string): Promise<DatabaseSource> {
  const { sourceByDriver } = await import('./by-driver.js');
  return sourceByDriver(options, root);
}
