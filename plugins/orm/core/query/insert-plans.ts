import type { BatchForm } from '../dialect/dialect.js';
import { BoundedMap, type BoundedMapStats } from '../../../../kernel/bounded/index.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import { serialOf } from '../plan/serial.js';
import type { LogicalConflict, LogicalInsert, LogicalSelect } from '../plan/logical.js';
import type { Shape } from '../plan/shape.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { Plan } from '../plan/plan.js';
import type { Planner } from '../plan/planner.js';

/** What an INSERT looks like. */
interface InsertShape {
  readonly columns: readonly ColumnInfo[];
  readonly rows: number;
  readonly returning: readonly ColumnInfo[];
  readonly conflict?: LogicalConflict | undefined;
  /** Whether the rows bring the numbers that the database would give them. */
  readonly keepsKeys?: boolean | undefined;
  readonly form?: Pick<BatchForm, 'arrays' | 'partial'> | undefined;
  /** Where the rows come from, instead of values. */
  readonly query?: { readonly shape: Shape; readonly select: LogicalSelect } | undefined;
  /** What the database computes; `more` is its number. */
  readonly computed?: LogicalInsert['computed'];
  /** What is filled besides. */
  readonly filled?: LogicalInsert['filled'];
  /** Number of what `conflict` and `computed` say beyond columns; absent when that is nothing. */
  readonly more?: number | undefined;
  /** Values behind those of the rows. */
  readonly values?: number | undefined;
}

/** The usual insert: all insertable columns are given. */
interface UsualInsert {
  readonly plan: Plan;
  /** Columns that RETURNING gives. */
  readonly reads: readonly ColumnInfo[];
}

/** Plans of INSERT statements by model and set of columns; bounded like the plan cache. */
export class InsertPlans {
  readonly #plans: BoundedMap<string, Plan>;
  readonly #usual: BoundedMap<ModelInfo, UsualInsert>;

  constructor(
    private readonly planner: Planner,
    capacity: number,
  ) {
    this.#plans = new BoundedMap(capacity);
    this.#usual = new BoundedMap(capacity);
  }

  /** What was kept by `keepUsual`; found without writing a key. */
  usual(model: ModelInfo): UsualInsert | undefined {
    return this.#usual.get(model);
  }

  /** Keeps the plan of a model's usual insert. */
  keepUsual(model: ModelInfo, insert: UsualInsert): void {
    if (!this.planner.bypassesCache) this.#usual.set(model, insert);
  }

  /** Plan of an insert. */
  plan(model: ModelInfo, shape: InsertShape): MaybePromise<Plan> {
    if (this.planner.bypassesCache) return this.#compile(model, shape);
    const key = `${serialOf(model)}:${keyOf(shape)}`;
    return this.#plans.get(key) ?? chain(this.#compile(model, shape), (plan) => this.#plans.set(key, plan));
  }

  stats(): BoundedMapStats {
    return this.#plans.stats();
  }

  #compile(model: ModelInfo, shape: InsertShape): MaybePromise<Plan> {
    const { columns, rows, returning, conflict, keepsKeys, form, query, computed, filled, values = 0 } = shape;
    const { arrays, partial } = form ?? {};
    const logical: LogicalInsert = {
      kind: 'insert',
      model,
      columns,
      rows,
      returning,
      conflict,
      keepsKeys,
      arrays,
      partial,
      query: query?.select,
      ...(computed && { computed }),
      ...(filled && { filled }),
    };
    return chain(this.planner.rewritten(logical), (rewritten) => {
      const plan = this.planner.compileLogical(rewritten, query?.shape.values ?? columns.length * rows + values);
      const foreign = rewritten.kind === 'insert' ? rewritten.conflict?.own?.foreign : undefined;
      return foreign ? { ...plan, foreign } : plan;
    });
  }
}

const indexes = (columns: readonly ColumnInfo[]): string => columns.map((column) => column.index).join('.');

function keyOf({ columns, rows, returning, conflict, keepsKeys = false, form, query, more = 0 }: InsertShape): string {
  const upsert = conflict
    ? `|${indexes(conflict.target)}|${indexes(conflict.update)}|${conflict.replaces === true}`
    : '';
  const { arrays = [], partial = false } = form ?? {};
  return `${indexes(columns)}x${rows}>${indexes(returning)}${upsert}|${arrays.join()}|${partial}|${keepsKeys}|${query ? serialOf(query.shape) : ''}|${more}`;
}
