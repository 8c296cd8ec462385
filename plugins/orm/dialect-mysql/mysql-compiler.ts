import {
  BarredScope,
  EXCLUDED,
  overwrites,
  ownColumnsIn,
  Scope,
  SqlCompiler,
  UpsertScope,
  withoutNames,
  Words,
  characterCount,
  columnLimit,
  type AggregatePart,
  type JoinKind,
  type LockMode,
  type LogicalAssignment,
  type LogicalConflict,
  type LogicalDelete,
  type LogicalInsert,
  type LogicalPlan,
  type LogicalUpdate,
  type ColumnInfo,
  type ColumnKind,
  type ComparisonOp,
  type ColumnLimit,
  type ColumnTarget,
  type LogicalJoin,
  type LogicalJson,
  type LogicalList,
  type LogicalOrder,
  type LogicalSelect,
  type LogicalValue,
  type Slot,
  type SqlWriter,
  type SubqueryOp,
} from '../dialect/index.js';
import { encodeAny, mysqlCodecs } from './mysql-codecs.js';
import { mysqlFunctions } from './mysql-functions.js';

const PARAMETER_TYPES: Readonly<Partial<Record<ColumnKind, string>>> = {
  int: 'SIGNED',
  bigint: 'SIGNED',
  decimal: 'DECIMAL(65, 10)',
  date: 'DATETIME(3)',
  // Beside text a time of day is one of six digits, whatever it has.
  plainTime: 'TIME(6)',
};

// MariaDB has no FOR SHARE; both know LOCK IN SHARE MODE (https://mariadb.com/kb/en/lock-in-share-mode/).
const LOCKS = new Words<LockMode>('A lock', {
  update: ' FOR UPDATE',
  share: ' LOCK IN SHARE MODE',
  noKeyUpdate: ' FOR UPDATE',
  updateSkipLocked: ' FOR UPDATE SKIP LOCKED',
  updateNoWait: ' FOR UPDATE NOWAIT',
});

/** SQL that MySQL 8 and MariaDB 10.6 both take (https://dev.mysql.com/doc/refman/8.0/en/sql-statements.html). */
export class MysqlCompiler extends SqlCompiler {
  protected override readonly looseBinder = encodeAny;

  constructor() {
    super('MySQL', mysqlCodecs);
  }

  protected override limitOf(column: ColumnInfo): ColumnLimit | undefined {
    return columnLimit(column, characterCount);
  }

  override quoteName(name: string): string {
    return `\`${name.replaceAll('`', '``')}\``;
  }

  override placeholder(): string {
    return '?';
  }

  protected override lockClause(mode: LockMode, { lockOf, joins }: LogicalSelect): string {
    if (lockOf !== undefined && joins.length > 0)
      throw this.unsupported('a lock of some tables', 'MariaDB has no OF, and locks rows of all of them; lock the rows in a query without joins'); // prettier-ignore
    return LOCKS.sql(mode);
  }

  protected override join(join: LogicalJoin, scope: Scope, writer: SqlWriter): string {
    const kind: JoinKind = join.kind;
    if (kind === 'full')
      throw this.unsupported('FULL JOIN', 'it has none; use a left join and a right join in two queries');
    return super.join(join, scope, writer);
  }

  // An average of exact numbers has four digits more than they; one of doubles has all
  // (https://dev.mysql.com/doc/refman/8.0/en/server-system-variables.html, div_precision_increment).
  protected override aggregate(part: AggregatePart, scope: Scope): string {
    const { name, target } = part;
    if (name !== 'avg' || target === undefined) return super.aggregate(part, scope);
    return `AVG(${this.column(target, scope)} + 0e0)`;
  }

  // Beside text a decimal is compared as a double, which has 15 digits
  // (https://dev.mysql.com/doc/refman/8.0/en/type-conversion.html).
  protected override value(slot: Slot, target: ColumnTarget, writer: SqlWriter): string {
    const value = super.value(slot, target, writer);
    if (target.info?.kind === 'decimal') return `CAST(${value} AS DECIMAL(65, 30))`;
    // Bits are compared as a number, for which bytes are text (https://dev.mysql.com/doc/refman/8.0/en/bit-value-literals.html).
    return isBits(target) ? `CAST(CONV(HEX(${value}), 16, 10) AS UNSIGNED)` : value;
  }

  // https://dev.mysql.com/doc/refman/8.0/en/comparison-operators.html#operator_equal-to
  protected override compareSql(op: ComparisonOp, left: string, right: string): string {
    if (op === 'isNotDistinctFrom') return `${left} <=> ${right}`;
    return op === 'isDistinctFrom' ? `NOT (${left} <=> ${right})` : super.compareSql(op, left, right);
  }

  // Collations take letters of another case, or blanks at the end, for the same, and say nothing of bytes. The first condition is that of
  // indexes (https://dev.mysql.com/doc/refman/8.0/en/charset-collation-effect.html).
  protected override sameText(info: ColumnInfo, column: string, value: () => string): string {
    const bytes = `CAST(CONVERT(${column} USING utf8mb4) AS BINARY)`;
    return `(${super.sameText(info, column, value)} AND ${bytes} = CAST(${value()} AS BINARY))`;
  }

  // OFFSET needs a LIMIT; the manual names this number (https://dev.mysql.com/doc/refman/8.0/en/select.html).
  protected override limitlessOffset(): string {
    return ' LIMIT 18446744073709551615';
  }

  // https://dev.mysql.com/doc/refman/8.0/en/select.html
  protected override readonly keepsByGroups = true;

  protected override readonly functions = mysqlFunctions;

  // MariaDB sorts once for windows of which one list of keys begins the next, and finds three to be such by their neighbours: OVER () between
  // two others leaves the last of them in the order of the first (10.11). What is no constant to it is a list of its own.
  protected override readonly sortsApart = 'RAND() < 0';

  // SEPARATOR takes no parameter (https://dev.mysql.com/doc/refman/8.0/en/aggregate-functions.html#function_group-concat), so that each
  // text stands behind one, and the first one is cut off.
  protected override listSql({ operand, separator, orders }: LogicalList, scope: Scope, writer: SqlWriter): string {
    const text = `CONCAT(${this.valueSql(separator, scope, writer)}, ${this.valueSql(operand, scope, writer)})`;
    const list = `GROUP_CONCAT(${text} ORDER BY ${this.listOrder(orders, scope, writer)} SEPARATOR '')`;
    return `SUBSTRING(${list}, CHAR_LENGTH(${this.valueSql(separator, scope, writer)}) + 1)`;
  }

  // What passes max_allowed_packet is null in place of a part of it, and so a text that is no JSON.
  protected override jsonSql({ name, operand, where, orders }: LogicalJson, scope: Scope, writer: SqlWriter): string {
    const [first, last] = name ? ['{', '}'] : ['[', ']'];
    const key = () => `CONVERT(${this.valueSql(name as LogicalValue, scope, writer)} USING utf8mb4)`;
    const some = (value: () => string) =>
      where ? `CASE WHEN ${this.expr(where, scope, writer)} THEN ${value()} END` : value();
    const member = () => {
      const quoted = name ? `JSON_QUOTE(${key()}), ':', ` : '';
      return name ? `CONCAT(${quoted}${this.jsonMember(operand, scope, writer)})` : this.jsonMember(operand, scope, writer); // prettier-ignore
    };
    const values = some(member);
    const order = orders.length > 0 ? ` ORDER BY ${this.listOrder(orders, scope, writer)}` : '';
    const list = `CONCAT('${first}', GROUP_CONCAT(${values}${order} SEPARATOR ','), '${last}')`;
    return `COALESCE(${list}, CASE COUNT(${some(name ? key : () => '1')}) WHEN 0 THEN '${first}${last}' ELSE '${first}' END)`;
  }

  protected override orderTerm(order: LogicalOrder, key: () => string): string {
    const { nulls } = order;
    const first = nulls ? `${key()} IS NULL${nulls === 'first' ? ' DESC' : ''}, ` : '';
    return `${first}${super.orderTerm({ ...order, nulls: undefined }, key)}`;
  }

  // The driver sends numbers as doubles and bigints as texts, of which a calculation is a double
  // (https://dev.mysql.com/doc/refman/8.0/en/type-conversion.html).
  protected override operandParameter(kind: ColumnKind, slot: Slot, writer: SqlWriter): string {
    const parameter = super.operandParameter(kind, slot, writer);
    const type = PARAMETER_TYPES[kind];
    return type === undefined ? parameter : `CAST(${parameter} AS ${type})`;
  }

  // IN takes no query with LIMIT, but one that reads from it (https://dev.mysql.com/doc/refman/8.0/en/subquery-restrictions.html).
  protected override nested(query: LogicalSelect, op: SubqueryOp, writer: SqlWriter, scope: Scope): string {
    const nested = super.nested(query, op, writer, scope);
    const isBounded = query.limit !== undefined || query.offset !== undefined;
    return isBounded && (op === 'in' || op === 'notIn')
      ? `SELECT * FROM (${nested}) AS ${this.quote('bounded')}`
      : nested;
  }

  // A table within FROM is shown no columns of the query around; one by itself has its order and bounds behind it
  // (https://mariadb.com/kb/en/lateral-derived-tables/, https://dev.mysql.com/doc/refman/8.0/en/derived-tables.html).
  protected override combined(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined): string {
    const isBounded = select.orderBy.length > 0 || select.limit !== undefined || select.offset !== undefined;
    return super.combined(select, writer, isBounded ? this.#hidden(outer) : outer);
  }

  protected override picked(select: LogicalSelect, _scope: Scope, writer: SqlWriter, outer?: Scope): string {
    return super.picked(select, Scope.of(select, this.#hidden(outer)), writer, outer);
  }

  #hidden(outer: Scope | undefined): Scope | undefined {
    if (outer === undefined) return undefined;
    const refusal = () =>
      this.unsupported(
        'a union with an order or a limit, or distinctOn, that names columns of the query around it',
        'it shows them to no table within FROM; compare them behind it, or read them in a query of their own',
      );
    return new BarredScope(outer, refusal);
  }

  // MariaDB takes WITH before SELECT alone (https://mariadb.com/kb/en/with/).
  protected override statement(plan: LogicalPlan, writer: SqlWriter): string {
    switch (plan.kind) {
      case 'update':
        return this.update(this.#unnamed(plan), writer);
      case 'delete':
        return this.delete(this.#unnamed(plan), writer);
      case 'insert':
        return this.insert(plan.query ? plan : this.#unnamed(plan), writer);
      default:
        return super.statement(plan, writer);
    }
  }

  protected override inserted(query: LogicalSelect, insert: LogicalInsert, writer: SqlWriter): string {
    return `${this.named(query, writer)}${super.inserted(query, insert, writer)}`;
  }

  #unnamed<Plan extends LogicalPlan>(plan: Plan): Plan {
    return withoutNames(plan, () =>
      this.unsupported('a write by a recursive query', 'it takes WITH before SELECT alone; read the keys first'),
    );
  }

  // https://dev.mysql.com/doc/refman/8.0/en/update.html, "multiple-table syntax"
  protected override update(update: LogicalUpdate, writer: SqlWriter): string {
    const { model, joins = [], where } = update;
    const scope = new Scope(model, joins);
    const from = joins.map((join) => this.join(join, scope, writer)).join('');
    const sets = this.assignments(update, scope, writer);
    return `UPDATE ${this.quote(model.table)}${from} SET ${sets}${this.where(where, scope, writer)}`;
  }

  // A number that is sent as text would make the sum a double
  // (https://dev.mysql.com/doc/refman/8.0/en/type-conversion.html).
  protected override addend(value: string, { kind }: ColumnInfo): string {
    return kind === 'bigint' || kind === 'decimal' ? `CAST(${value} AS ${PARAMETER_TYPES[kind] as string})` : value;
  }

  // A column of type JSON is no text (https://dev.mysql.com/doc/refman/8.0/en/json.html, comparison of JSON values).
  protected override jsonNullOrNull(column: string): string {
    return `CASE WHEN CAST(${column} AS CHAR) = 'null' THEN ${column} END`;
  }

  // It assigns from left to right, and what was assigned is what those behind it read
  // (https://dev.mysql.com/doc/refman/8.0/en/update.html).
  protected override assignments(update: LogicalUpdate, scope: Scope, writer: SqlWriter): string {
    return super.assignments({ ...update, assignments: this.#inOrder(update.assignments) }, scope, writer);
  }

  #inOrder(assignments: readonly LogicalAssignment[]): readonly LogicalAssignment[] {
    const ordered = beforeTheyChange(assignments);
    if (ordered !== undefined) return ordered;
    throw this.unsupported(
      'an update of columns that are each computed of the other',
      'it assigns one after the other, and reads what it has just assigned; update in two statements',
    );
  }

  protected override assignedColumn({ name, model }: ColumnInfo, scope: Scope): string {
    return scope.qualified && !(scope instanceof UpsertScope) ? `${this.quote(model.table)}.${this.quote(name)}` : this.quote(name); // prettier-ignore
  }

  // https://dev.mysql.com/doc/refman/8.0/en/delete.html, "multiple-table syntax"
  protected override delete(plan: LogicalDelete, writer: SqlWriter): string {
    const { model, joins = [], where } = plan;
    if (joins.length === 0) return super.delete(plan, writer);
    const scope = new Scope(model, joins);
    const from = joins.map((join) => this.join(join, scope, writer)).join('');
    const table = this.quote(model.table);
    return `DELETE ${table} FROM ${table}${from}${this.where(where, scope, writer)}`;
  }

  protected override column(target: ColumnTarget, scope: Scope): string {
    const isNew = target.qualifier === EXCLUDED && scope instanceof UpsertScope;
    return isNew && target.info?.model === scope.model
      ? `VALUES(${this.quote(target.name)})`
      : super.column(target, scope);
  }

  protected override emptyRow(): string {
    return ' () VALUES ()';
  }

  // Any unique key triggers it; a target cannot be named (https://dev.mysql.com/doc/refman/8.0/en/insert-on-duplicate.html).
  protected override conflictClause(
    conflict: LogicalConflict,
    columns: readonly ColumnInfo[],
    writer: SqlWriter,
  ): string {
    const { update, own, where, sets = [] } = conflict;
    // INSERT IGNORE would also cut off what is too long and let a missing foreign key pass.
    const kept = columns[0]?.model.primaryKey[0] ?? columns[0];
    if (!overwrites(conflict))
      return kept ? ` ON DUPLICATE KEY UPDATE ${this.quote(kept.name)} = ${this.quote(kept.name)}` : '';
    if (own)
      throw this.unsupported(
        'an upsert of rows that are kept apart by a plugin',
        'ON DUPLICATE KEY UPDATE cannot spare the row of somebody else; read the row first, then create or update it',
      );
    if (where)
      throw this.unsupported(
        'an upsert with where',
        'ON DUPLICATE KEY UPDATE has no condition; assign caseWhen(condition, excluded(column)).otherwise(column)',
      );
    const scope = new UpsertScope((columns[0] as ColumnInfo).model);
    // What is computed reads the row as it is, and so comes first.
    const taken = update.map(({ name }) => `${this.quote(name)} = VALUES(${this.quote(name)})`);
    const made = this.#inOrder(sets).map((each) => this.assignment(each, writer, undefined, scope));
    return ` ON DUPLICATE KEY UPDATE ${[...made, ...taken].join(', ')}`;
  }

  // MariaDB would take RETURNING, MySQL refuses it; neither is asked.
  protected override returningClause(): string {
    return '';
  }
}

const isBits = ({ info }: ColumnTarget): boolean =>
  info?.kind === 'bytes' && /^bit\b/i.test(info.definition.sqlType ?? '');

/** Assignments in an order in which none reads what another has changed before; undefined where there is none. */
function beforeTheyChange(assignments: readonly LogicalAssignment[]): readonly LogicalAssignment[] | undefined {
  const left = assignments.map((assignment) => {
    const { computed, column } = assignment;
    const reads = computed ? ownColumnsIn(computed, column.model).filter((each) => each !== column) : [];
    return { assignment, reads };
  });
  const ordered: LogicalAssignment[] = [];
  while (left.length > 0) {
    const at = left.findIndex(({ assignment }) =>
      left.every((other) => other.assignment === assignment || !other.reads.includes(assignment.column)),
    );
    if (at < 0) return undefined;
    ordered.push(...left.splice(at, 1).map(({ assignment }) => assignment));
  }
  return ordered;
}
