import type { BatchForm } from '../dialect/dialect.js';
import type { BoundedMapStats } from '../../../../kernel/bounded/index.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise } from '../session/sql-handle.js';
import { serialOf } from '../expression/subquery.js';
import type { LogicalConflict, LogicalInsert, LogicalSelect } from '../plan/logical.js';
import type { Shape } from '../plan/shape.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { Plan } from '../plan/plan.js';
import type { Planner } from '../plan/planner.js';

/** What an INSERT looks like. */
export interface InsertShape {
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
export interface UsualInsert {
  readonly plan: Plan;
  /** Columns that RETURNING gives. */
  readonly reads: readonly ColumnInfo[];
}

/** Plans of INSERT statements by model and set of columns; bounded like the plan cache. */
export class InsertPlans {
  #plans = new Map<ModelInfo, Map<string, Plan>>();
  #usual = new Map<ModelInfo, UsualInsert>();
  #size = 0;
  #hits = 0;
  #misses = 0;
  #evicted = 0;

  constructor(
    private readonly planner: Planner,
    private readonly capacity: number,
  ) {}

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
    const key = keyOf(shape);
    const ofModel = this.#plans.get(model);
    const found = ofModel?.get(key);
    if (found) {
      this.#hits++;
      return found;
    }
    this.#misses++;
    return chain(this.#compile(model, shape), (plan) => this.#keep(model, key, plan));
  }

  stats(): BoundedMapStats {
    const { capacity } = this;
    return { size: this.#size, capacity, hits: this.#hits, misses: this.#misses, evicted: this.#evicted };
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

  #keep(model: ModelInfo, key: string, plan: Plan): Plan {
    if (++this.#size > this.capacity) {
      this.#plans = new Map();
      this.#usual = new Map();
      this.#evicted += this.#size - 1;
      this.#size = 1;
    }
    const ofModel = this.#plans.get(model) ?? new Map<string, Plan>();
    ofModel.set(key, plan);
    this.#plans.set(model, ofModel);
    return plan;
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
