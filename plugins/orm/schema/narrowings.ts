import type { ColumnInfo, ColumnState, Dialect } from '../core/index.js';
import type { ColumnChange } from './column-states.js';
import type { Comparison } from './compare-table.js';

/** Position of statements that rows may refuse; undefined in a direction means: among the other statements. */
interface Placed {
  readonly up: boolean;
  readonly down: boolean;
  /** State of the column after the other changes were undone, under its former name. */
  readonly undone: ColumnState;
}

/**
 * Changes that remove values from the type of a column. Rows with a removed value make such a statement fail, and a database that commits
 * each statement (https://dev.mysql.com/doc/refman/8.0/en/implicit-commit.html) would keep what was done before it. So they come before
 * everything else in either direction, and what takes them back comes last.
 */
export class Narrowings {
  readonly #placed = new Map<ColumnInfo, Placed>();
  readonly #upFirst: string[] = [];
  readonly #downFirst: string[] = [];
  readonly #downLast: string[] = [];

  constructor(private readonly dialect: Dialect) {}

  /**
   * Separates the narrowing changes of a table from its other changes.
   *
   * @param isHeld - whether a key blocks the column with this present name, so that statements around the change must come first
   */
  take({ model, table, changed, key }: Comparison, isHeld: (name: string) => boolean): void {
    if (key !== undefined) return;
    for (const change of changed) {
      const { column, actual, from, to } = change;
      const [up, down] = [this.#narrows(from, to), this.#narrows(to, from)];
      if ((!up && !down) || isHeld(actual.name)) continue;
      // A check of the column definition contains the name of the column.
      const check = table.checks.find(({ name, ofColumn }) => ofColumn && name === actual.name)?.sql;
      const former = { ...from, check };
      const narrow = { ...to, check: to.check === undefined ? undefined : check };
      if (up) this.#upFirst.push(...this.#alter(model.table, actual.name, former, narrow));
      if (down) this.#downFirst.unshift(...this.#alter(model.table, column.name, to, from));
      else this.#downLast.unshift(...this.#alter(model.table, actual.name, narrow, former));
      this.#placed.set(column, { up, down: true, undone: down ? former : narrow });
    }
  }

  /** How many statements come first on the way up. */
  get size(): number {
    return this.#upFirst.length;
  }

  /** The statements of a change that are placed already. */
  placed({ column }: Pick<ColumnChange, 'column'>): Placed | undefined {
    return this.#placed.get(column);
  }

  around(up: readonly string[], down: readonly string[]) {
    return { up: [...this.#upFirst, ...up], down: [...this.#downFirst, ...down, ...this.#downLast] };
  }

  #narrows(from: ColumnState, to: ColumnState): boolean {
    const { enumValues } = this.dialect.schema.introspection;
    const values = enumValues?.(to.type);
    return values !== undefined && (enumValues?.(from.type)?.some((value) => !values.includes(value)) ?? true);
  }

  #alter(of: string, name: string, from: ColumnState, to: ColumnState): readonly string[] {
    const [table, column] = [of, name].map((each) => this.dialect.compiler.quote(each)) as [string, string];
    return this.dialect.schema.alterColumn?.(table, column, from, to) ?? [];
  }
}
