import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ModelInfo } from '../model/model-info.js';
import { outputName } from '../plan/combined.js';
import { formError } from '../plan/form-error.js';
import type { LogicalJoin, LogicalOrder, LogicalSelect, Projection } from '../plan/logical.js';
import type { ColumnTarget } from '../plan/parts.js';
import { typeOfColumn } from '../plan/projection.js';
import { windowsIn } from '../plan/values.js';
import type { WindowKeys } from './window-keys.js';

/** The columns of combined rows, by the names that they have there. */
export class ResultScope {
  constructor(private readonly select: LogicalSelect) {}

  resolve(target: ColumnTarget): { readonly table?: undefined; readonly column: string } {
    return { column: outputName(this.select, target) ?? target.name };
  }
}

const keyOf = ({ target, value, desc, nulls }: LogicalOrder): WindowKeys['orders'][number] => ({
  desc,
  nulls,
  value: value ?? { t: 'column', target: target as ColumnTarget, type: typeOfColumn(target?.info) },
});

/** Tables that a statement can name columns of; subqueries see those of the query around them. */
export class Scope {
  constructor(
    readonly model: ModelInfo,
    private readonly joins: readonly LogicalJoin[] = [],
    private readonly projection: readonly Projection[] = [],
    private readonly outer?: Scope,
    /** What the table of the model is called. */
    readonly table = model.table,
    private readonly orders: readonly LogicalOrder[] = [],
    private readonly places?: readonly LogicalOrder[],
  ) {}

  /** The scope of a query. */
  static of({ model, joins, projection, alias, orderBy, distinctOn }: LogicalSelect, outer?: Scope): Scope {
    return new Scope(model, joins, projection, outer, alias, orderBy, distinctOn?.order);
  }

  /** What the windows of the query are sorted by: of those that are selected, of its order, and of the places that tell rows apart. */
  get windows(): readonly WindowKeys[] {
    const selected = this.projection.flatMap((item) => (item.t === 'value' ? windowsIn(item.value) : []));
    const ordered = this.orders.flatMap(({ value }) => (value ? windowsIn(value) : []));
    return [...selected, ...ordered, ...(this.places ? [{ partitions: [], orders: this.places.map(keyOf) }] : [])];
  }

  /** Whether column names must carry their table. */
  get qualified(): boolean {
    return this.joins.length > 0 || this.outer !== undefined || this.table !== this.model.table;
  }

  /**
   * Alias (or table) and name of a column; the alias is left out when one table is in sight.
   *
   * @throws FwError `FW_ORM_COLUMN_OUT_OF_REACH`, `FW_ORM_UNKNOWN_COLUMN`
   */
  resolve(target: ColumnTarget): { readonly table?: string | undefined; readonly column: string } {
    const found = this.#find(target);
    if (found) return found;
    const outer = this.outer?.resolve(target);
    if (outer) return { ...outer, table: outer.table ?? this.outer?.table };
    const { info, qualifier, name } = target;
    const column =
      info && !qualifier ? `${info.model.name}.${info.property}` : [qualifier, name].filter(Boolean).join('.');
    throw fwError(ORM_ERRORS.FW_ORM_COLUMN_OUT_OF_REACH, { model: this.model.name, column });
  }

  /** Whether a column is of the tables of this query, and not of one around it. */
  owns(target: ColumnTarget): boolean {
    return this.#find(target) !== undefined;
  }

  #find({ info, qualifier, name }: ColumnTarget): { table?: string | undefined; column: string } | undefined {
    if (qualifier !== undefined) return this.#ofQualifier(qualifier, name);
    if (info === undefined) return this.#ofAlias(name);
    if (info.model === this.model) return { table: this.#mustQualify(name) ? this.table : undefined, column: name };
    const join = this.joins.find(({ model }) => model === info.model);
    return join && { table: join.alias, column: name };
  }

  // In ORDER BY a bare name is the alias of what was selected, if there is one.
  #mustQualify(name: string): boolean {
    return this.qualified || this.#hasAlias(name);
  }

  #hasAlias(name: string): boolean {
    return this.projection.some((item) => (item.t === 'aggregate' ? item.aggregate.alias : item.alias) === name);
  }

  #ofQualifier(qualifier: string, name: string) {
    const join = this.joins.find(({ alias }) => alias === qualifier);
    if (join) return { table: qualifier, column: join.model ? join.model.column(name).name : name };
    if (qualifier !== this.table) return undefined;
    const column = this.model.column(name).name;
    return { table: this.#mustQualify(column) ? qualifier : undefined, column };
  }

  #ofAlias(name: string) {
    if (this.#hasAlias(name)) return { column: name };
    const info = this.model.column(name);
    return { table: this.qualified ? this.table : undefined, column: info.name };
  }
}

/** What stands for the row of an upsert that was to be inserted, in names of columns. */
export const EXCLUDED = 'excluded';

/** Tables of an upsert: the row that is there, and the new one. */
export class UpsertScope extends Scope {
  override get qualified(): boolean {
    return true;
  }

  override resolve(target: ColumnTarget): { readonly table?: string | undefined; readonly column: string } {
    if (target.qualifier !== EXCLUDED || target.info?.model !== this.model) return super.resolve(target);
    return { table: EXCLUDED, column: target.name };
  }
}

/** The row that an INSERT makes, which has no columns to be named before it is there. */
export class NewRowScope extends Scope {
  override resolve({ info, name }: ColumnTarget): never {
    throw formError(this.model, `a new row is computed of "${info?.property ?? name}", and has none yet; a query as scalar(...) reads other rows`); // prettier-ignore
  }
}

/** Scope of an outer query whose columns the database does not allow in the inner one: naming one is refused. */
export class BarredScope extends Scope {
  constructor(
    private readonly around: Scope,
    private readonly refusal: () => Error,
  ) {
    super(around.model);
  }

  override resolve(target: ColumnTarget): never {
    this.around.resolve(target);
    throw this.refusal();
  }
}
