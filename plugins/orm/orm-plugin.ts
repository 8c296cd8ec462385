import { definePlugin, fwError, ModelCatalogue, token } from '../../kernel/index.js';
import { QueryObserver } from '../../kernel/contracts/query-observer.js';
import { Database, ORM_ERRORS, open, registeredModels } from './core/index.js';
import { openDriver } from './drivers.js';
import { modelCatalogue } from './model-catalogue.js';
import { ormOptions } from './options.js';
import { ormProbe } from './probe.js';

/** Holds the database of one application, from start to stop. */
interface Holder {
  database?: Database;
}
const Holder = token<Holder>('fw.orm.Holder');

/** Opens the application's database at start and closes it last. */
export default definePlugin({
  id: 'orm',
  category: 'orm',
  description: 'Opens the database and provides it to the other plugins.',
  options: ormOptions,
  provides: [Database, Holder],
  register({ bind, contribute, probe }) {
    const holder: Holder = {};
    bind(Holder, () => holder);
    bind(Database, () => {
      if (holder.database) return holder.database;
      throw fwError(ORM_ERRORS.FW_ORM_CLOSED, {});
    });
    contribute(ModelCatalogue, () => modelCatalogue);
    probe(
      'orm',
      ormProbe(() => holder.database),
    );
  },
  async start({ options, profile, log, get, all }) {
    const { compiledQueryCacheSize, defaultTimeout, validate } = options;
    const { handle, dialect } = await openDriver(options);
    const database = open(handle, dialect, {
      validate,
      plugins: all(QueryObserver),
      ...(compiledQueryCacheSize !== undefined && { compiledQueryCacheSize }),
      ...(defaultTimeout !== undefined && { executor: { defaultTimeout } }),
    });
    get(Holder).database = database;
    await database.ping();
    if ((options.schema ?? (profile === 'prod' ? 'none' : 'create-missing')) === 'none') return;
    const { createMissingTables } = await import('./schema/create-missing-tables.js');
    const made = await createMissingTables(database, registeredModels());
    if (made.length > 0) log.info({ tables: made }, 'created missing tables');
  },
  async stop({ get }) {
    const holder = get(Holder);
    const { database } = holder;
    delete holder.database;
    await database?.close();
  },
});
