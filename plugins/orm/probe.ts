import { off, ok, type Probe } from '../../kernel/index.js';
import type { DatabaseHandle } from './core/index.js';
import { DEFAULT_DATABASE } from './dialect/index.js';
import type { OpenDatabases } from './open-databases.js';

/** The `orm` probe: dialect, caches and connections of the default database and of the named ones. */
export function ormProbe(databases: OpenDatabases): Probe {
  return () => {
    const db = databases.find(DEFAULT_DATABASE);
    if (db === undefined) return off('The database is not open; list the plugin "orm" in app.config.ts.');
    const named = databases.names().filter((name) => name !== DEFAULT_DATABASE);
    const more = Object.fromEntries(named.map((name) => [name, detailOf(databases.get(name))]));
    return ok(`${inWords(db)} is open; ${db.stats().plan.size} compiled plans.`, {
      detail: { ...detailOf(db), ...(named.length > 0 && { databases: more }) },
    });
  };
}

function detailOf(db: DatabaseHandle): Readonly<Record<string, unknown>> {
  const { plan, inserts, scan, shapes, handle } = db.stats();
  return {
    dialect: db.dialect.name,
    ...db.about,
    plan_cache: plan,
    insert_plans: inserts,
    scan_plans: scan,
    shapes,
    ...handle,
  };
}

function inWords({ dialect: { capabilities }, about }: DatabaseHandle): string {
  return about ? `${capabilities.dialect} ${about.version} through ${about.driver}` : capabilities.dialect;
}
