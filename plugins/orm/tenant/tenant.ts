import { fwError } from '../../../kernel/index.js';
import {
  NoopPlugin,
  conjunction,
  mapConditions,
  plainTarget,
  type ColumnInfo,
  type LogicalExpr,
  type LogicalInsert,
  type LogicalPlan,
  type LogicalSelect,
  type LogicalUpdate,
  type ModelInfo,
} from '../core/index.js';
import { TENANT_ERRORS } from './errors.js';

/**
 * Keeps tenants apart: every read and write of a model with the column is limited to the current tenant, and inserted rows
 * get it. Plans are shared between tenants, because the tenant is a value of the call and not part of the plan.
 *
 * @param column - column that holds the tenant
 * @param current - tells the tenant of the call; null or undefined refuses the call
 * @example withPlugins(tenant('tenant_id', () => currentRequestContext()?.values.get('tenant')))
 */
export function tenant(column: string, current: () => unknown): Tenant {
  return new Tenant(column, current);
}

class Tenant extends NoopPlugin {
  readonly #slots = new WeakMap<ModelInfo, () => unknown>();

  constructor(
    private readonly column: string,
    private readonly current: () => unknown,
  ) {
    super();
  }

  override name(): string {
    return 'tenant';
  }

  fills(column: ColumnInfo): boolean {
    return column === column.model.find(this.column);
  }

  override beforePlan(plan: LogicalPlan): LogicalPlan {
    const inner = mapConditions(plan, (expr) =>
      expr.t === 'subquery' ? { ...expr, query: this.#filtered(expr.query) } : expr,
    );
    switch (inner.kind) {
      case 'select':
        return this.#filtered(inner);
      case 'count':
        return { ...inner, of: this.#filtered(inner.of) };
      case 'update':
        return this.#update(inner);
      case 'delete':
        return { ...inner, where: this.#limited(inner.model, inner.where) };
      case 'insert':
        return this.#insert(inner);
    }
  }

  #filtered(select: LogicalSelect): LogicalSelect {
    const joins = select.joins.map((join) => {
      return join.model && join.kind !== 'cross'
        ? { ...join, on: this.#limited(join.model, join.on, join.alias) }
        : join;
    });
    return { ...select, joins, where: this.#limited(select.model, select.where) };
  }

  #update(update: LogicalUpdate): LogicalUpdate {
    const own = update.model.find(this.column);
    if (update.assignments.some(({ column }) => column === own)) {
      throw fwError(TENANT_ERRORS.FW_ORM_TENANT_FOREIGN, { model: update.model.name });
    }
    return { ...update, where: this.#limited(update.model, update.where) };
  }

  #insert(insert: LogicalInsert): LogicalInsert {
    const column = insert.model.find(this.column);
    if (column === undefined) return insert;
    const slot = this.#slotOf(insert.model);
    if (!insert.columns.includes(column)) return { ...insert, filled: [...(insert.filled ?? []), { column, slot }] };
    const check = (value: unknown) => {
      if (value !== slot()) throw fwError(TENANT_ERRORS.FW_ORM_TENANT_FOREIGN, { model: insert.model.name });
    };
    return { ...insert, checks: new Map([...(insert.checks ?? []), [column, check]]) };
  }

  #limited(model: ModelInfo, where: LogicalExpr | undefined, qualifier?: string): LogicalExpr | undefined {
    const info = model.find(this.column);
    if (info === undefined) return where;
    const target = qualifier === undefined ? plainTarget(info) : { name: info.name, info, qualifier };
    const own: LogicalExpr = { t: 'compare', target, op: 'eq', slot: this.#slotOf(model) };
    return where === undefined ? own : conjunction([where, own]);
  }

  #slotOf(model: ModelInfo): () => unknown {
    const found = this.#slots.get(model);
    if (found) return found;
    const slot = () => {
      const tenant = this.current();
      if (tenant === null || tenant === undefined)
        throw fwError(TENANT_ERRORS.FW_ORM_TENANT_MISSING, { model: model.name });
      return tenant;
    };
    this.#slots.set(model, slot);
    return slot;
  }
}
