import { off, ok, type Probe } from '../../kernel/index.js';
import type { Database } from './core/index.js';

/** The `orm` probe: dialect, caches and connections. */
export function ormProbe(database: () => Database | undefined): Probe {
  return () => {
    const db = database();
    if (db === undefined) return off('The database is not open; list the plugin "orm" in app.config.ts.');
    const { plan, scan, shapes, handle } = db.stats();
    const detail = { dialect: db.dialect.name, plan_cache: plan, scan_plans: scan, shapes, ...handle };
    return ok(`${db.dialect.capabilities.dialect} is open; ${plan.size} compiled plans.`, { detail });
  };
}
