import {
  SqlCompiler,
  type AggregatePart,
  type Bound,
  type ColumnTarget,
  type ColumnInfo,
  type LogicalConflict,
  type Scope,
  type LogicalInsert,
  type LogicalSelect,
  type SqlWriter,
} from '../core/index.js';
import { encodeAny, sqliteCodecs } from './sqlite-codecs.js';

const isDecimal = (target: ColumnTarget | undefined): boolean => target?.info?.kind === 'decimal';

// Other databases keep ten digits behind the point when the declaration does not say how many.
function digitsOf({ info }: ColumnTarget): number {
  const { precision, scale } = info?.definition ?? {};
  return scale ?? (precision === undefined ? 10 : 0);
}

/** SQL of SQLite (https://sqlite.org/lang.html). */
export class SqliteCompiler extends SqlCompiler {
  protected override readonly looseBinder = encodeAny;

  constructor() {
    super('SQLite', sqliteCodecs);
  }

  override quoteName(name: string): string {
    return `"${name}"`;
  }

  override placeholder(): string {
    return '?';
  }

  // A no-op: one writer at a time, and it holds the whole database (https://sqlite.org/lockingv3.html).
  protected override lockClause(): string {
    return '';
  }

  // A bare `LIMIT ?` makes SQLite prepare the statement anew on every execution; an expression does not.
  protected override bound(bound: Bound, writer: SqlWriter): string {
    const text = super.bound(bound, writer);
    return 'literal' in bound ? text : `${text}+0`;
  }

  // OFFSET needs a LIMIT; a negative one means none (https://sqlite.org/lang_select.html#limitoffset).
  protected override limitlessOffset(): string {
    return ' LIMIT -1';
  }

  // No character escapes unless the statement says so (https://sqlite.org/lang_expr.html#like).
  protected override like(left: string, right: string): string {
    return `${super.like(left, right)} ESCAPE '\\'`;
  }

  // Decimals are kept as text, in which 10 stands before 9: they are compared as numbers, and text beside a number becomes one
  // (https://sqlite.org/datatype3.html#affinity_of_comparison_operands).
  protected override compared(target: ColumnTarget, scope: Scope): string {
    const column = this.column(target, scope);
    return isDecimal(target) ? `CAST(${column} AS NUMERIC)` : column;
  }

  // 1.5 and 1.50 are one distinct value.
  protected override projection(select: LogicalSelect, scope: Scope): string {
    if (!select.distinct || select.projection.length === 0) return super.projection(select, scope);
    const items = select.projection.map((item) => {
      if (item.t !== 'column' || !isDecimal(item.target)) return this.item(item, scope);
      return `${this.compared(item.target, scope)} AS ${this.quote(item.alias ?? item.target.name)}`;
    });
    return items.join(', ');
  }

  protected override comparedAggregate(part: AggregatePart, scope: Scope): string {
    const aggregate = this.aggregate(part, scope);
    return part.name !== 'count' && isDecimal(part.target) ? `CAST(${aggregate} AS NUMERIC)` : aggregate;
  }

  protected override aggregate(part: AggregatePart, scope: Scope): string {
    const { name, target, distinct } = part;
    const asText = name === 'avg' || (name === 'count' && !distinct);
    if (target === undefined || !isDecimal(target) || asText) return super.aggregate(part, scope);
    // A sum of texts is a double: 0.1 + 0.2 has 17 digits.
    if (name === 'sum') return `ROUND(${super.aggregate(part, scope)}, ${digitsOf(target)})`;
    return `${name.toUpperCase()}(${distinct ? 'DISTINCT ' : ''}${this.compared(target, scope)})`;
  }

  // SPEC "ORM values", dialects: without a named key SQLite replaces the row. Where only some columns are to change, or a plugin
  // keeps rows apart, that would write too much; ON CONFLICT DO UPDATE needs no key either (https://sqlite.org/lang_upsert.html).
  protected override insertVerb({ conflict, partial }: LogicalInsert): string {
    if (partial) return 'INSERT OR FAIL INTO';
    return conflict && isReplacing(conflict) ? 'INSERT OR REPLACE INTO' : 'INSERT INTO';
  }

  protected override conflictClause(
    conflict: LogicalConflict,
    columns: readonly ColumnInfo[],
    writer: SqlWriter,
  ): string {
    return isReplacing(conflict) ? '' : super.conflictClause(conflict, columns, writer);
  }
}

const isReplacing = ({ target, update, replaces, own }: LogicalConflict): boolean =>
  target.length === 0 && update.length > 0 && replaces === true && own === undefined;
