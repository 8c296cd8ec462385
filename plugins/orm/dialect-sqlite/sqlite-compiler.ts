import {
  columnBinder,
  dollarPath,
  givesJoined,
  joinedWhere,
  Scope,
  SqlCompiler,
  type AggregatePart,
  type Bound,
  type ColumnTarget,
  type ColumnInfo,
  type ColumnKind,
  type ComparisonOp,
  type FunctionName,
  type LogicalConflict,
  type LogicalDelete,
  type LogicalExpr,
  type LogicalInsert,
  type LogicalJson,
  type KindCodec,
  type LogicalSelect,
  type LogicalUpdate,
  type SetOp,
  type LogicalValue,
  type Slot,
  type SqlWriter,
} from '../dialect/index.js';
import { codecOfColumn, formatOfColumn } from './exact-times.js';
import { encodeAny, sqliteCodecs } from './sqlite-codecs.js';
import { sqliteFunctions } from './sqlite-functions.js';
import { ISO_FORMAT, timeCodec, type TimeCodec } from './sqlite-times.js';

type JsonSteps = Parameters<typeof dollarPath>[0];

const isDecimal = (target: ColumnTarget | undefined): boolean => target?.info?.kind === 'decimal';

/** The format that a target holds times in, as it is declared; undefined for the dialect's own, and for what is no time. */
const formatOf = ({ info }: ColumnTarget): string | undefined => info && formatOfColumn(info);

const timeOf = ({ info }: ColumnTarget): TimeCodec | undefined => info && codecOfColumn(info);

/** Whether values of a target are compared by what is made of them. */
const isKeyed = (target: ColumnTarget): boolean => isDecimal(target) || timeOf(target)?.key !== undefined;

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
    return `"${name.replaceAll('"', '""')}"`;
  }

  override codecOf(column: ColumnInfo): KindCodec {
    return codecOfColumn(column) ?? super.codecOf(column);
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

  // Releases 3.51.0 to 3.53.0 make a join of EXISTS, and of a query with OFFSET too, which then skips too few rows
  // (https://sqlite.org/releaselog/3_53_1.html). They leave EXISTS alone where it is no condition by itself.
  protected override filter(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const { where, offset } = select;
    if (where === undefined || offset === undefined) return super.filter(select, scope, writer);
    const terms = termsOf(where).map((term) => `${isExists(term) ? '+' : ''}${this.expr(term, scope, writer)}`);
    return ` WHERE ${terms.join(' AND ')}`;
  }

  // No character escapes unless the statement says so (https://sqlite.org/lang_expr.html#like).
  protected override like(left: string, right: string): string {
    return `${super.like(left, right)} ESCAPE '\\'`;
  }

  // Decimals are kept as text, in which 10 stands before 9: they are compared as numbers, and text beside a number becomes one
  // (https://sqlite.org/datatype3.html#affinity_of_comparison_operands).
  protected override compared(target: ColumnTarget, scope: Scope): string {
    const column = this.column(target, scope);
    if (isDecimal(target)) return `CAST(${column} AS NUMERIC)`;
    return timeOf(target)?.key?.(column) ?? column;
  }

  // A time finer than the column's unit equals none of its values, but is ordered among them.
  protected override value(slot: Slot, target: ColumnTarget, writer: SqlWriter): string {
    const codec = timeOf(target);
    const { info } = target;
    if (codec === undefined || info === undefined) return super.value(slot, target, writer);
    return writer.boundValue(slot, columnBinder(info, { encode: codec.comparand }));
  }

  // https://sqlite.org/lang_expr.html#isoperator, whose longer form came with release 3.39
  protected override compareSql(op: ComparisonOp, left: string, right: string): string {
    if (op !== 'isDistinctFrom' && op !== 'isNotDistinctFrom') return super.compareSql(op, left, right);
    return `${left} ${op === 'isDistinctFrom' ? 'IS NOT' : 'IS'} ${right}`;
  }

  // The collation of the value goes before that of the column (https://sqlite.org/datatype3.html#collation).
  protected override sameText(info: ColumnInfo, column: string, value: () => string): string {
    return `${super.sameText(info, column, value)} COLLATE BINARY`;
  }

  // Texts of different formats cannot be compared directly.
  protected override columnComparison(expr: LogicalExpr & { t: 'columns' }, scope: Scope): string {
    const { left, op, right } = expr;
    if (formatOf(left) === formatOf(right)) return super.columnComparison(expr, scope);
    const instant = (target: ColumnTarget) => timeCodec(formatOf(target)).instant(this.column(target, scope));
    return this.compareSql(op, instant(left), instant(right));
  }

  protected override subquery(expr: LogicalExpr & { t: 'subquery' }, scope: Scope, writer: SqlWriter): string {
    const [item] = expr.query.projection;
    const { target } = expr;
    const inner = item?.t === 'aggregate' ? item.aggregate.target : item?.t === 'column' ? item.target : undefined;
    if (expr.value !== undefined && item?.t === 'column' && isKeyed(item.target))
      throw this.unsupported(
        `a computed value among those of "${item.target.name}"`,
        'it keeps decimals and such times as text, which is no number; select add(column, 0), or use exists',
      );
    if (target === undefined || inner === undefined) return super.subquery(expr, scope, writer);
    // A least or greatest value is one of what is compared; a column by itself is as it is kept.
    const isAlike =
      formatOf(target) === formatOf(inner) && (item?.t === 'aggregate' || timeOf(target)?.key === undefined);
    if (isAlike) return super.subquery(expr, scope, writer);
    throw this.unsupported(
      `a comparison of "${target.name}" with a query of times in a format that is not compared as it is`,
      'use exists, with a condition that compares both columns',
    );
  }

  // 1.5 and 1.50 are one distinct value.
  protected override projection(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    if (!select.distinct || select.projection.length === 0) return super.projection(select, scope, writer);
    const items = select.projection.map((item) => {
      if (item.t !== 'column' || !isKeyed(item.target)) return this.item(item, scope, writer);
      return `${this.compared(item.target, scope)} AS ${this.quote(item.alias ?? item.target.name)}`;
    });
    return items.join(', ');
  }

  protected override readonly functions = sqliteFunctions;
  // https://sqlite.org/lang_aggfunc.html#group_concat
  protected override readonly listFunction = 'GROUP_CONCAT';

  // It joins nothing to a DELETE (https://sqlite.org/lang_delete.html).
  protected override delete(plan: LogicalDelete, writer: SqlWriter): string {
    const { model, joins = [], where } = plan;
    if (joins.length === 0) return super.delete(plan, writer);
    const scope = new Scope(model, joins);
    const tables = joins.map((join) => this.joined(join, writer)).join(', ');
    const meets = `EXISTS (SELECT 1 FROM ${tables}${this.where(joinedWhere(joins, where), scope, writer)})`;
    return `DELETE FROM ${this.quote(model.table)} WHERE ${meets}${this.returned(plan, scope, writer)}`;
  }

  // It returns columns of the written table alone (https://sqlite.org/lang_returning.html); others are read by keys.
  protected override returned(write: LogicalUpdate | LogicalDelete, _scope: Scope, writer: SqlWriter): string {
    return givesJoined(write) ? '' : super.returned(write, new Scope(write.model), writer);
  }

  // What expressions make of times is ISO text.
  protected override assigned(value: LogicalValue, column: ColumnInfo, scope: Scope, writer: SqlWriter): string {
    this.#assertFormat(column, value.t === 'column' ? formatOf(value.target) : undefined, value.type.kind);
    return super.assigned(value, column, scope, writer);
  }

  protected override inserted(query: LogicalSelect, insert: LogicalInsert, writer: SqlWriter): string {
    const items = query.projection.length > 0 ? query.projection : query.model.readable;
    insert.columns.forEach((column, at) => {
      const item = items[at];
      if (item === undefined) return;
      const info = 't' in item ? (item.t === 'column' ? item.target.info : undefined) : item;
      this.#assertFormat(column, info && formatOfColumn(info), 'date');
    });
    return super.inserted(query, insert, writer);
  }

  #assertFormat(column: ColumnInfo, given: string | undefined, kind: ColumnKind): void {
    const format = formatOfColumn(column);
    if (kind !== 'date' || column.kind !== 'date' || (given ?? ISO_FORMAT) === (format ?? ISO_FORMAT)) return;
    throw this.unsupported(
      `a value that it makes itself in "${column.name}", whose times are held in the format ${format ?? ISO_FORMAT}`,
      'its times are ISO text; use setRaw with the functions of SQLite for the format',
    );
  }

  // https://sqlite.org/lang_select.html#compound_select_statements
  protected override setOperator(op: SetOp): string {
    if (op !== 'intersectAll' && op !== 'exceptAll') return super.setOperator(op);
    throw this.unsupported(
      op,
      'it has none; number equal rows with over(rowNumber(), ...), and use the word without All',
    );
  }

  // https://sqlite.org/lang_with.html#materialization_hints
  protected override materializedWord(materialized: boolean | undefined): string {
    return materialized === undefined ? '' : materialized ? 'MATERIALIZED ' : 'NOT MATERIALIZED ';
  }

  // It takes no brackets there.
  protected override combinedOperand(rows: string): string {
    return `SELECT * FROM (${rows}) AS ${this.quote('operand')}`;
  }

  // SQLite compares the texts of decimals and times, not their values.
  protected override combined(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined): string {
    const { sets = [], projection, model } = select;
    const targets =
      projection.length > 0
        ? projection.flatMap((item) => (item.t === 'column' ? [item.target] : []))
        : model.readable.map((info) => ({ name: info.name, info }));
    if (sets.every(({ op }) => op === 'unionAll') || !targets.some(isKeyed))
      return super.combined(select, writer, outer);
    throw this.unsupported(
      'union, intersect and except of decimals, and of times in a format of their own',
      'it keeps them as text, of which 1.5 and 1.50 are two; use unionAll, or select other columns',
    );
  }

  // https://sqlite.org/rowvalue.html#row_value_in_operators
  protected override rowValues(rows: readonly (readonly string[])[]): string {
    return `VALUES ${super.rowValues(rows)}`;
  }

  // What expressions make of times is ISO text, and a column in another format is none.
  protected override operandColumn(target: ColumnTarget, scope: Scope): string {
    const format = formatOf(target);
    if (target.info?.kind !== 'date' || format === undefined || format === ISO_FORMAT)
      return super.operandColumn(target, scope);
    throw this.unsupported(
      `an expression of "${target.name}", whose times are held in the format ${format}`,
      'its functions take ISO text; use raw with the functions of SQLite for the format',
    );
  }

  // https://sqlite.org/json1.html#jgrouparray
  protected override jsonSql(value: LogicalJson, scope: Scope, writer: SqlWriter): string {
    return this.jsonBy(value.name ? 'JSON_GROUP_OBJECT' : 'JSON_GROUP_ARRAY', value, scope, writer);
  }

  // JSON has the digits of a decimal as they are kept.
  protected override operandSql(of: FunctionName, operand: LogicalValue, scope: Scope, writer: SqlWriter): string {
    const isMember = (of === 'jsonObject' || of === 'jsonMember') && operand.t === 'column';
    return isMember && isDecimal(operand.target)
      ? this.column(operand.target, scope)
      : super.operandSql(of, operand, scope, writer);
  }

  // Places from the end: the last is `#-1` (https://sqlite.org/json1.html#path_arguments).
  protected override pathParameter(slot: Slot, writer: SqlWriter): string {
    return writer.boundValue(slot, (steps) => dollarPath(steps as JsonSteps, (place) => `#${place}`));
  }

  // Decimals travel as text, which is behind every number.
  protected override operandParameter(kind: ColumnKind, slot: Slot, writer: SqlWriter): string {
    const parameter = super.operandParameter(kind, slot, writer);
    const type = kind === 'decimal' ? 'NUMERIC' : kind === 'int' ? 'INTEGER' : undefined;
    return type === undefined ? parameter : `CAST(${parameter} AS ${type})`;
  }

  // A column of Temporal by itself is counted and ordered as it is kept; what functions take is ISO text.
  protected override aggregateSql(
    value: LogicalValue & { readonly t: 'aggregate' },
    scope: Scope,
    writer: SqlWriter,
  ): string {
    const { name, distinct, operand } = value;
    if (operand?.t !== 'column' || operand.type.temporal === undefined) return super.aggregateSql(value, scope, writer);
    const part: AggregatePart = { t: 'aggregate', name, target: operand.target, distinct, alias: name, values: 0 };
    this.assertEdge(part);
    return this.aggregate(part, scope);
  }

  protected override finished(sql: string, { name, type }: LogicalValue & { readonly t: 'aggregate' }): string {
    return name === 'sum' && type.kind === 'decimal' ? `ROUND(${sql}, 10)` : sql;
  }

  protected override comparedAggregate(part: AggregatePart, scope: Scope): string {
    const aggregate = this.aggregate(part, scope);
    return part.name !== 'count' && isDecimal(part.target) ? `CAST(${aggregate} AS NUMERIC)` : aggregate;
  }

  protected override aggregate(part: AggregatePart, scope: Scope): string {
    const { name, target, distinct } = part;
    const asText = name === 'avg' || (name === 'count' && !distinct);
    if (target === undefined || !isKeyed(target) || asText) return super.aggregate(part, scope);
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

/** What all has to hold for a condition to hold. */
function termsOf(where: LogicalExpr): readonly LogicalExpr[] {
  if (where.t !== 'junction' || where.operands.length === 0) return [where];
  return where.kind === 'and' || where.operands.length === 1 ? where.operands.flatMap(termsOf) : [where];
}

const isExists = (term: LogicalExpr): boolean =>
  term.t === 'raw'
    ? term.raw.raw.texts.some((text) => /\bexists\b/i.test(text))
    : term.t === 'subquery' && term.op === 'exists';
