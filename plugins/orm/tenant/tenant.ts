import { fwError } from '../../../kernel/index.js';
import {
  NoopPlugin,
  limitReads,
  limitTables,
  limitWrite,
  plainTarget,
  type ColumnInfo,
  type LogicalDelete,
  type LogicalExpr,
  type LogicalInsert,
  type LogicalPlan,
  type LogicalSelect,
  type LogicalUpdate,
  type ModelInfo,
  type TableTests,
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
    const inner = limitReads(plan, (select) => this.#filtered(select));
    switch (inner.kind) {
      case 'update':
        return this.#update(inner);
      case 'delete':
        return this.#limited(inner);
      case 'insert':
        return this.#insert(inner);
      default:
        return inner;
    }
  }

  #filtered(select: LogicalSelect): LogicalSelect {
    return limitTables(select, this.#tests(select.model));
  }

  #update(update: LogicalUpdate): LogicalUpdate {
    const { model } = update;
    const own = model.find(this.column);
    const limited = this.#limited(update);
    const assigned = update.assignments.filter(({ column }) => column === own);
    if (own === undefined || assigned.length === 0) return limited;
    // The tenant value of read rows is compared; a computed value cannot be compared.
    if (assigned.some(({ form }) => form !== 'value')) throw foreign(model);
    return { ...limited, checks: new Map([...(update.checks ?? []), [own, this.#check(model)]]) };
  }

  #insert(insert: LogicalInsert): LogicalInsert {
    const column = insert.model.find(this.column);
    if (column === undefined) return insert;
    const { model } = insert;
    const slot = this.#slotOf(model);
    // Rows from a query cannot be inspected, and a computed value cannot be compared.
    if (insert.query !== undefined && insert.columns.includes(column)) throw foreign(model);
    if (insert.conflict?.sets?.some((each) => each.column === column)) throw foreign(model);
    const conflict =
      insert.conflict && (insert.conflict.update.length > 0 || insert.conflict.sets?.length)
        ? { ...insert.conflict, own: { column, slot, foreign: () => foreign(model) } }
        : insert.conflict;
    const own = { ...insert, conflict };
    if (!insert.columns.includes(column)) return { ...own, filled: [...(insert.filled ?? []), { column, slot }] };
    return { ...own, checks: new Map([...(insert.checks ?? []), [column, this.#check(model)]]) };
  }

  #check(model: ModelInfo): (value: unknown) => void {
    const slot = this.#slotOf(model);
    return (value) => {
      if (value !== slot()) throw foreign(model);
    };
  }

  #limited<Write extends LogicalUpdate | LogicalDelete>(write: Write): Write {
    return limitWrite(write, this.#tests(write.model));
  }

  #tests(model: ModelInfo): TableTests {
    return {
      own: this.#test(model, undefined),
      joined: (other, alias) => this.#test(other, alias),
      unknown: (table) => {
        throw fwError(TENANT_ERRORS.FW_ORM_TENANT_TABLE, { model: model.name, table });
      },
    };
  }

  #test(model: ModelInfo, qualifier: string | undefined): LogicalExpr | undefined {
    const info = model.find(this.column);
    if (info === undefined) return undefined;
    const target = qualifier === undefined ? plainTarget(info) : { name: info.name, info, qualifier };
    return { t: 'compare', target, op: 'eq', slot: this.#slotOf(model), exact: true };
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

const foreign = (model: ModelInfo) => fwError(TENANT_ERRORS.FW_ORM_TENANT_FOREIGN, { model: model.name });
