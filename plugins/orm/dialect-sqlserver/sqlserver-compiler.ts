import {
  EXCLUDED,
  identifier,
  overwrites,
  partialKey,
  returnedRows,
  Scope,
  someValue,
  SqlCompiler,
  UpsertScope,
  Words,
  columnLimit,
  type AggregatePart,
  type ColumnInfo,
  type ColumnKind,
  type ColumnLimit,
  type ColumnTarget,
  type ComparisonOp,
  type LockMode,
  type SetOp,
  type Slot,
  type LogicalConflict,
  type LogicalCount,
  type LogicalDelete,
  type LogicalExpr,
  type LogicalInsert,
  type LogicalList,
  type LogicalOrder,
  type LogicalSelect,
  type LogicalUpdate,
  type SelectedValue,
  type SqlWriter,
} from '../dialect/index.js';
import { encodeAny, sqlserverCodecs } from './sqlserver-codecs.js';
import { sqlserverFunctions } from './sqlserver-functions.js';

// https://learn.microsoft.com/sql/t-sql/queries/hints-transact-sql-table
const HINTS = new Words<LockMode>('A lock', {
  update: 'UPDLOCK, ROWLOCK',
  share: 'HOLDLOCK, ROWLOCK',
  noKeyUpdate: 'UPDLOCK, ROWLOCK',
  updateSkipLocked: 'UPDLOCK, ROWLOCK, READPAST',
  updateNoWait: 'UPDLOCK, ROWLOCK, NOWAIT',
});

/** SQL of SQL Server (https://learn.microsoft.com/sql/t-sql/language-reference). */
export class SqlServerCompiler extends SqlCompiler {
  protected override readonly looseBinder = encodeAny;

  constructor() {
    super('SQL Server', sqlserverCodecs);
  }

  // nvarchar counts pairs of bytes (https://learn.microsoft.com/sql/t-sql/data-types/nchar-and-nvarchar-transact-sql).
  protected override limitOf(column: ColumnInfo): ColumnLimit | undefined {
    return columnLimit(column, (text) => text.length);
  }

  // A null has no type of its own and is sent as a text, which is no value of bytes
  // (https://learn.microsoft.com/sql/t-sql/data-types/data-type-conversion-database-engine).
  protected override heldValue(
    slot: Slot,
    column: ColumnInfo,
    writer: SqlWriter,
    check?: (value: unknown) => void,
  ): string {
    const value = super.heldValue(slot, column, writer, check);
    return column.kind === 'bytes' ? `CONVERT(varbinary(max), ${value})` : value;
  }

  override quoteName(name: string): string {
    return `[${name.replaceAll(']', ']]')}]`;
  }

  override placeholder(position: number): string {
    return `@p${position}`;
  }

  // Locks are hints behind the table, see `select`.
  protected override lockClause(): string {
    return '';
  }

  // The average of integers is an integer, their sum one of 32 bits, and a bit has neither minimum nor maximum
  // (https://learn.microsoft.com/sql/t-sql/functions/avg-transact-sql, sum-transact-sql, min-transact-sql).
  protected override aggregate(part: AggregatePart, scope: Scope): string {
    const { name, target } = part;
    if (target === undefined || name === 'count') return super.aggregate(part, scope);
    const [kind, column] = [target.info?.kind, this.column(target, scope)];
    if (name === 'avg') return `AVG(CAST(${column} AS float))`;
    if (name === 'sum' && (kind === 'int' || kind === 'enum')) return `SUM(CAST(${column} AS bigint))`;
    if (kind === 'boolean') return `CAST(${name.toUpperCase()}(CAST(${column} AS tinyint)) AS bit)`;
    return super.aggregate(part, scope);
  }

  // https://learn.microsoft.com/sql/t-sql/queries/select-having-transact-sql
  protected override readonly keepsByGroups = true;

  protected override least(value: string, kind: ColumnKind): string {
    return kind === 'boolean' ? `CAST(MIN(CAST(${value} AS tinyint)) AS bit)` : super.least(value, kind);
  }

  // It does not know that a key decides the other columns, so they are named too
  // (https://learn.microsoft.com/sql/t-sql/queries/select-group-by-transact-sql).
  protected override groupBy(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const { model, groupBy, projection, orderBy } = select;
    if (groupBy.length === 0) return super.groupBy(select, scope, writer);
    const selected = projection.flatMap((item) => (item.t === 'column' ? [item.target] : []));
    const whole = projection.length > 0 ? [] : model.columns.map((info) => ({ name: info.name, info }));
    const ordered = orderBy.flatMap(({ target }) => (target?.info ? [target] : []));
    const named = [...groupBy, ...selected, ...whole, ...ordered].map(
      (target) => [this.column(target, scope), target] as const,
    );
    return super.groupBy({ ...select, groupBy: [...new Map(named).values()] }, scope, writer);
  }

  // Collations take letters of another case for the same, and blanks at the end always are; bytes are compared as they are
  // (https://learn.microsoft.com/sql/t-sql/language-elements/string-comparison-assignment). The first condition is that of indexes.
  protected override sameText(info: ColumnInfo, column: string, value: () => string): string {
    const bytes = (text: string) => `CAST(CAST(${text} AS nvarchar(max)) AS varbinary(max))`;
    return `(${super.sameText(info, column, value)} AND ${bytes(column)} = ${bytes(value())})`;
  }

  // No character escapes unless the statement says so, and brackets are wildcards too
  // (https://learn.microsoft.com/sql/t-sql/language-elements/like-transact-sql).
  protected override like(left: string, right: string): string {
    return `${super.like(left, right)} ESCAPE '\\'`;
  }

  protected override pattern(pattern: string): string {
    return pattern.replace(/\\.|\[/gs, (found) => (found === '[' ? '\\[' : found));
  }

  protected override select(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined): string {
    if (select.perGroup || select.sets) return super.select(select, writer, outer);
    if (select.distinctOn) return super.select(select, writer, outer);
    const scope = Scope.of(select, outer);
    // TOP and OFFSET exclude each other (https://learn.microsoft.com/sql/t-sql/queries/top-transact-sql).
    const top = select.limit && !select.offset ? `TOP (${this.bound(select.limit, writer)}) ` : '';
    if (select.lockOf !== undefined && select.joins.some((join) => select.lockOf?.includes(join.alias)))
      throw this.unsupported('a lock of joined tables', 'its hints are of the queried one; lock the rows in a query of their own'); // prettier-ignore
    const hint = select.lock === undefined ? '' : ` WITH (${HINTS.sql(select.lock)})`;
    const distinct = select.distinct ? 'DISTINCT ' : '';
    return `SELECT ${distinct}${top}${this.projection(select, scope, writer)} FROM ${this.from(select, writer, hint)}${this.tail(select, scope, writer)}`;
  }

  protected override top({ limit, offset }: LogicalSelect, writer: SqlWriter): string {
    return limit && !offset ? `TOP (${this.bound(limit, writer)}) ` : '';
  }

  // https://learn.microsoft.com/sql/t-sql/queries/with-common-table-expression-transact-sql
  protected override withVerb(): string {
    return 'WITH';
  }

  // https://learn.microsoft.com/sql/t-sql/queries/update-transact-sql
  protected override update(update: LogicalUpdate, writer: SqlWriter): string {
    const { model, joins = [], where } = update;
    const scope = new Scope(model, joins);
    const sets = this.assignments(update, scope, writer);
    return `UPDATE ${this.quote(model.table)} SET ${sets}${this.rowsOutput(update, 'INSERTED', writer)}${this.writeFrom(update, scope, writer)}${this.where(where, scope, writer)}`;
  }

  // https://learn.microsoft.com/sql/t-sql/statements/delete-transact-sql
  protected override delete(plan: LogicalDelete, writer: SqlWriter): string {
    const { model, joins = [], where } = plan;
    const scope = new Scope(model, joins);
    const from = this.writeFrom(plan, scope, writer);
    const verb = from === '' ? 'DELETE FROM' : 'DELETE';
    return `${verb} ${this.quote(model.table)}${this.rowsOutput(plan, 'DELETED', writer)}${from}${this.where(where, scope, writer)}`;
  }

  private writeFrom({ model, joins = [] }: LogicalUpdate | LogicalDelete, scope: Scope, writer: SqlWriter): string {
    if (joins.length === 0) return '';
    return ` FROM ${this.quote(model.table)}${joins.map((join) => this.join(join, scope, writer)).join('')}`;
  }

  // https://learn.microsoft.com/sql/t-sql/queries/output-clause-transact-sql
  private rowsOutput(write: LogicalUpdate | LogicalDelete, table: string, writer: SqlWriter): string {
    const rows = returnedRows(write);
    if (rows === undefined) return '';
    if (rows.projection.some((item) => item.t === 'value' && someValue(item.value, ({ t }) => t === 'query')))
      throw this.unsupported('a query among the returned values', 'OUTPUT takes none; read the rows in a query of their own'); // prettier-ignore
    const items = this.projection(rows, new Scope(write.model, write.joins, [], undefined, table), writer);
    return ` OUTPUT ${items}`;
  }

  // https://learn.microsoft.com/sql/t-sql/language-elements/set-operators-except-and-intersect-transact-sql
  protected override setOperator(op: SetOp): string {
    if (op !== 'intersectAll' && op !== 'exceptAll') return super.setOperator(op);
    throw this.unsupported(
      op,
      'it has none; number equal rows with over(rowNumber(), ...), and use the word without All',
    );
  }

  // In brackets it takes no order (https://learn.microsoft.com/sql/t-sql/queries/select-order-by-clause-transact-sql).
  protected override combinedOperand(rows: string): string {
    return `SELECT * FROM (${rows}) AS ${this.quote('operand')}`;
  }

  protected override combinedRows(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined) {
    const top = select.limit && !select.offset ? `TOP (${this.bound(select.limit, writer)}) ` : '';
    return { ...super.combinedRows(select, writer, outer), top };
  }

  protected override bounds({ limit, offset, orderBy }: LogicalSelect, writer: SqlWriter): string {
    if (!offset) return '';
    // OFFSET is part of ORDER BY, so there must be one.
    const order = orderBy.length === 0 ? ' ORDER BY (SELECT NULL)' : '';
    const fetch = limit ? ` FETCH NEXT ${this.bound(limit, writer)} ROWS ONLY` : '';
    return `${order} OFFSET ${this.bound(offset, writer)} ROWS${fetch}`;
  }

  protected override readonly functions = sqlserverFunctions;

  // A name of the result stands alone in an order, and in no expression of it.
  protected override selectedOrder({ value }: SelectedValue, scope: Scope, writer: SqlWriter): string {
    return this.valueSql(value, scope, writer);
  }

  protected override listSql({ operand, separator, orders }: LogicalList, scope: Scope, writer: SqlWriter): string {
    const text = `CAST(${this.valueSql(operand, scope, writer)} AS nvarchar(max))`;
    const between = this.valueSql(separator, scope, writer);
    return `STRING_AGG(${text}, ${between}) WITHIN GROUP (ORDER BY ${this.listOrder(orders, scope, writer)})`;
  }

  // Its names of collations are words, and take no quotes.
  protected override collation(name: string): string {
    return identifier(name);
  }

  // It compares no rows (https://learn.microsoft.com/sql/t-sql/language-elements/in-transact-sql).
  protected override tuples(expr: LogicalExpr & { t: 'tuples' }, scope: Scope, writer: SqlWriter): string {
    const columns = expr.targets.map((target) => this.compared(target, scope));
    const rows = this.tupleRows(expr, writer).map((row) => {
      return `(${row.map((value, at) => `${columns[at]} = ${value}`).join(' AND ')})`;
    });
    return `${expr.negated ? 'NOT ' : ''}(${rows.join(' OR ')})`;
  }

  protected override subquery(expr: LogicalExpr & { t: 'subquery' }, scope: Scope, writer: SqlWriter): string {
    if (expr.targets === undefined) return super.subquery(expr, scope, writer);
    throw this.unsupported(
      'a tuple in a query',
      'it compares no rows; use exists, with a condition that compares each column',
    );
  }

  // It has IS DISTINCT FROM from 2022 on (https://learn.microsoft.com/sql/t-sql/queries/is-distinct-from-transact-sql); INTERSECT takes two
  // nulls for the same in every release.
  protected override compareSql(op: ComparisonOp, left: string, right: string): string {
    if (op !== 'isDistinctFrom' && op !== 'isNotDistinctFrom') return super.compareSql(op, left, right);
    return `${op === 'isDistinctFrom' ? 'NOT ' : ''}EXISTS (SELECT ${left} INTERSECT SELECT ${right})`;
  }

  // A condition is no value (https://learn.microsoft.com/sql/t-sql/queries/search-condition-transact-sql).
  protected override truthSql(condition: LogicalExpr, scope: Scope, writer: SqlWriter): string {
    const [holds, fails] = [this.expr(condition, scope, writer), this.expr(condition, scope, writer)];
    return `CASE WHEN ${holds} THEN CAST(1 AS bit) WHEN NOT (${fails}) THEN CAST(0 AS bit) END`;
  }

  protected override orderTerm(order: LogicalOrder, key: () => string): string {
    const plain = () => super.orderTerm({ ...order, nulls: undefined }, key);
    if (!order.nulls) return plain();
    const [isNull, isNot] = order.nulls === 'first' ? [0, 1] : [1, 0];
    return `CASE WHEN ${key()} IS NULL THEN ${isNull} ELSE ${isNot} END, ${plain()}`;
  }

  // GROUP BY takes no places (https://learn.microsoft.com/sql/t-sql/queries/select-group-by-transact-sql).
  protected override selectedGroup({ value }: SelectedValue, scope: Scope, writer: SqlWriter): string {
    return this.valueSql(value, scope, writer);
  }

  protected override count(count: LogicalCount, writer: SqlWriter): string {
    return super.count(count, writer).replace(/^SELECT COUNT\(\*\)/, 'SELECT COUNT_BIG(*)');
  }

  protected override insert(insert: LogicalInsert, writer: SqlWriter): string {
    const { model, returning, conflict } = insert;
    const columns = this.insertColumns(insert);
    if (insert.query) return super.insert(insert, writer);
    if (conflict) return this.merge(insert, conflict, writer);
    const names = columns.length === 0 ? '' : ` (${columns.map(({ name }) => this.quote(name)).join(', ')})`;
    const values = columns.length === 0 ? ' DEFAULT VALUES' : ` VALUES ${this.rows(insert, writer)}`;
    const statement = `INSERT INTO ${this.quote(model.table)}${names}${this.output(returning)}${values}`;
    if (!insert.keepsKeys) return statement;
    // One table of a session at a time (https://learn.microsoft.com/sql/t-sql/statements/set-identity-insert-transact-sql).
    const takesKeys = `SET IDENTITY_INSERT ${this.quote(model.table)}`;
    return `${takesKeys} ON; ${statement}; ${takesKeys} OFF;`;
  }

  // HOLDLOCK keeps two of these from inserting the same key (https://learn.microsoft.com/sql/t-sql/statements/merge-transact-sql).
  private merge(insert: LogicalInsert, conflict: LogicalConflict, writer: SqlWriter): string {
    const { target, update, sets: made = [], own, where } = conflict;
    const { model, returning } = insert;
    const columns = this.insertColumns(insert);
    const names = columns.map(({ name }) => this.quote(name));
    const keys = target.length > 0 ? target : model.primaryKey;
    if (!keys.every((key) => columns.includes(key))) {
      throw this.unsupported(
        'an upsert without a key',
        'MERGE compares key columns; name them with `conflict` and give them values',
      );
    }
    if (partialKey(keys) !== undefined)
      throw this.unsupported('an upsert by an index of some rows', 'MERGE compares keys of all rows; read the row first, then create or update it'); // prettier-ignore
    const on = keys
      .map(({ name }) => `[fw_target].${this.quote(name)} = [fw_source].${this.quote(name)}`)
      .join(' AND ');
    const rows = this.rows(insert, writer);
    const scope = new MergeScope(model);
    const tests = [own && this.ownRow(own, writer, '[fw_target]'), where && this.expr(where, scope, writer)];
    const and = tests.map((test) => (test ? ` AND ${test}` : '')).join('');
    const sets = [
      ...update.map(({ name }) => `[fw_target].${this.quote(name)} = [fw_source].${this.quote(name)}`),
      ...made.map((each) => this.assignment(each, writer, undefined, scope)),
    ].join(', ');
    return [
      `MERGE INTO ${this.quote(model.table)} WITH (HOLDLOCK) AS [fw_target]`,
      ` USING (VALUES ${rows}) AS [fw_source] (${names.join(', ')}) ON ${on}`,
      overwrites(conflict) ? ` WHEN MATCHED${and} THEN UPDATE SET ${sets}` : '',
      ` WHEN NOT MATCHED THEN INSERT (${names.join(', ')}) VALUES (${names.map((name) => `[fw_source].${name}`).join(', ')})`,
      `${this.output(returning)};`,
    ].join('');
  }

  private output(returning: readonly ColumnInfo[]): string {
    if (returning.length === 0) return '';
    return ` OUTPUT ${returning.map(({ name }) => `INSERTED.${this.quote(name)}`).join(', ')}`;
  }
}

// What MERGE calls the row that is there, and the new one.
class MergeScope extends UpsertScope {
  override resolve(target: ColumnTarget): { readonly table: string; readonly column: string } {
    const { column, table } = super.resolve(target);
    return { column, table: table === EXCLUDED ? 'fw_source' : 'fw_target' };
  }
}
