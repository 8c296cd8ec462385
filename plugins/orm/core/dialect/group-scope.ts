import type { LogicalSelect, LogicalValue } from '../plan/logical.js';
import type { ColumnTarget } from '../plan/parts.js';
import { formOf } from '../plan/rewrite.js';
import { Scope } from './scope.js';

/** Tables of a condition on groups, whose columns are named by what the groups are made by. */
export class GroupScope extends Scope {
  readonly #keys: ReadonlySet<string>;
  readonly #forms: ReadonlySet<string>;

  constructor(
    { groupBy, groupValues = [] }: LogicalSelect,
    /** The tables of the rows. */
    readonly rows: Scope,
  ) {
    super(rows.model, [], [], undefined, rows.table);
    this.#keys = new Set(groupBy.map((target) => this.#place(target)));
    this.#forms = new Set(groupValues.map(formOf));
  }

  override resolve(target: ColumnTarget): { readonly table?: string | undefined; readonly column: string } {
    return this.rows.resolve(target);
  }

  /** Whether it is a column of the rows that has one value in a group by the key of its table alone. */
  isDependent(target: ColumnTarget): boolean {
    return target.info !== undefined && this.rows.owns(target) && !this.#keys.has(this.#place(target));
  }

  /** Whether the groups are made by this value. */
  isGroupValue(value: LogicalValue): boolean {
    return this.#forms.has(formOf(value));
  }

  #place(target: ColumnTarget): string {
    const { table = '', column } = this.rows.resolve(target);
    return `${table}.${column}`;
  }
}
