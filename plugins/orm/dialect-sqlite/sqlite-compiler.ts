import {
  SqlCompiler,
  type Bound,
  type ColumnTarget,
  type ColumnInfo,
  type LogicalConflict,
  type LogicalExpr,
  type LogicalOrder,
  type Scope,
  type LogicalInsert,
  type SqlWriter,
} from '../core/index.js';
import { encodeAny, sqliteCodecs } from './sqlite-codecs.js';

type AggregatePart = (LogicalExpr & { t: 'aggregate' })['aggregate'];

const isDecimal = (target: ColumnTarget | undefined): boolean => target?.info?.kind === 'decimal';

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

  protected override expr(expr: LogicalExpr, scope: Scope, writer: SqlWriter): string {
    const sql = super.expr(expr, scope, writer);
    switch (expr.t) {
      case 'compare':
        return expr.op === 'like' || expr.op === 'ilike' ? sql : this.numeric(expr.target, scope, sql);
      case 'in':
      case 'between':
        return this.numeric(expr.target, scope, sql);
      case 'subquery':
        return expr.target ? this.numeric(expr.target, scope, sql) : sql;
      case 'columns':
        return this.numericColumns(expr, scope, sql);
      case 'aggregate': {
        if (expr.aggregate.name === 'count' || !isDecimal(expr.aggregate.target)) return sql;
        const left = this.aggregate(expr.aggregate, scope);
        return `CAST(${left} AS NUMERIC)${sql.slice(left.length)}`;
      }
      default:
        return sql;
    }
  }

  protected override orderTerm(order: LogicalOrder, scope: Scope): string {
    return this.numeric(order.target, scope, super.orderTerm(order, scope));
  }

  protected override aggregate(part: AggregatePart, scope: Scope): string {
    const { name, target } = part;
    if ((name !== 'min' && name !== 'max') || target === undefined) return super.aggregate(part, scope);
    return `${name.toUpperCase()}(${this.numeric(target, scope, this.column(target, scope))})`;
  }

  private numericColumns(expr: LogicalExpr & { t: 'columns' }, scope: Scope, sql: string): string {
    if (expr.op === 'like' || expr.op === 'ilike') return sql;
    if (!isDecimal(expr.right)) return this.numeric(expr.left, scope, sql);
    const right = this.column(expr.right, scope);
    return this.numeric(expr.left, scope, `${sql.slice(0, -right.length)}CAST(${right} AS NUMERIC)`);
  }

  // Decimals are kept as text, in which 10 stands before 9: they are compared as numbers, and text beside a number becomes one
  // (https://sqlite.org/datatype3.html#affinity_of_comparison_operands). The SQL begins with the column.
  private numeric(target: ColumnTarget, scope: Scope, sql: string): string {
    if (!isDecimal(target)) return sql;
    const column = this.column(target, scope);
    return `CAST(${column} AS NUMERIC)${sql.slice(column.length)}`;
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
