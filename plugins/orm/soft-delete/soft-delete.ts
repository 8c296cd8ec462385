import { systemClock, type Clock } from '../../../kernel/index.js';
import {
  NoopPlugin,
  limitReads,
  limitTables,
  limitWrite,
  momentFor,
  plainTarget,
  type ColumnInfo,
  type LogicalDelete,
  type LogicalExpr,
  type LogicalPlan,
  type LogicalSelect,
  type LogicalUpdate,
  type ModelInfo,
} from '../core/index.js';

/**
 * Soft delete (SPEC "ORM operations", `Delete`): deleting sets the column to now, and reads do not see rows where it is set.
 * Models without the column are left alone. `withDeleted()` shows all rows, `withDeleted('only')` the deleted ones, and
 * `withDeleted('force').delete()` deletes for good.
 *
 * @param column - name of the column, a nullable date
 * @param tables - only these tables; all when left out
 */
export function softDelete(column: string, ...tables: readonly string[]): SoftDelete {
  return new SoftDelete(column, tables, systemClock);
}

/** The plugin behind {@link softDelete}, with a clock of its own. */
export class SoftDelete extends NoopPlugin {
  readonly #now: () => Date;

  constructor(
    private readonly column: string,
    private readonly tables: readonly string[],
    clock: Clock,
  ) {
    super();
    this.#now = () => new Date(clock.now());
  }

  override name(): string {
    return 'soft_delete';
  }

  override beforePlan(plan: LogicalPlan): LogicalPlan {
    const inner = limitReads(plan, (select) => this.#filtered(select));
    if (inner.kind === 'update') return this.#narrowed(inner);
    return inner.kind === 'delete' ? this.#marking(inner) : inner;
  }

  #filtered(select: LogicalSelect): LogicalSelect {
    if (select.deleted === 'with' || select.deleted === 'force') return select;
    return limitTables(select, this.#tests(select));
  }

  #narrowed(update: LogicalUpdate): LogicalUpdate {
    if (update.deleted === 'with' || update.deleted === 'force') return update;
    return limitWrite(update, this.#tests(update));
  }

  #tests({ model, deleted }: LogicalSelect | LogicalUpdate) {
    return {
      own: this.#test(model, undefined, deleted === 'only'),
      joined: (joined: ModelInfo, alias: string | undefined) => this.#test(joined, alias, false),
    };
  }

  #marking(plan: LogicalDelete): LogicalPlan {
    const info = this.#columnOf(plan.model);
    if (info === undefined || plan.deleted === 'force') return plan;
    // A soft delete changes the row, so it also sets the touched columns.
    const columns = [info, ...plan.model.touched.filter((column) => column !== info)];
    const assignments = columns.map((column) => ({
      column,
      form: 'value' as const,
      slots: [() => momentFor(column, this.#now())],
    }));
    // Deleted rows keep the time of their first deletion, so with `only` there is nothing to mark.
    if (plan.deleted === 'only') {
      return { ...plan, kind: 'update', assignments, deleted: undefined, where: { t: 'constant', value: false } };
    }
    return this.#narrowed({ ...plan, kind: 'update', assignments, deleted: undefined });
  }

  #test(model: ModelInfo, qualifier: string | undefined, deleted: boolean): LogicalExpr | undefined {
    const info = this.#columnOf(model);
    const target = info && (qualifier === undefined ? plainTarget(info) : { name: info.name, info, qualifier });
    return target && { t: 'null', target, negated: deleted };
  }

  #columnOf(model: ModelInfo): ColumnInfo | undefined {
    return this.tables.length === 0 || this.tables.includes(model.table) ? model.find(this.column) : undefined;
  }
}
