import {
  SqlCompiler,
  Words,
  characterCount,
  columnLimit,
  type AggregatePart,
  type JoinKind,
  type LockMode,
  type LogicalConflict,
  type ColumnInfo,
  type ColumnKind,
  type ColumnLimit,
  type ColumnTarget,
  type LogicalJoin,
  type LogicalOrder,
  type LogicalSelect,
  type Scope,
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
    return `\`${name}\``;
  }

  override placeholder(): string {
    return '?';
  }

  protected override lockClause(mode: LockMode): string {
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

  // OFFSET needs a LIMIT; the manual names this number (https://dev.mysql.com/doc/refman/8.0/en/select.html).
  protected override limitlessOffset(): string {
    return ' LIMIT 18446744073709551615';
  }

  protected override readonly functions = mysqlFunctions;

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

  protected override emptyRow(): string {
    return ' () VALUES ()';
  }

  // Any unique key triggers it; a target cannot be named (https://dev.mysql.com/doc/refman/8.0/en/insert-on-duplicate.html).
  protected override conflictClause({ update, own }: LogicalConflict, columns: readonly ColumnInfo[]): string {
    // INSERT IGNORE would also cut off what is too long and let a missing foreign key pass.
    const kept = columns[0]?.model.primaryKey[0] ?? columns[0];
    if (update.length === 0)
      return kept ? ` ON DUPLICATE KEY UPDATE ${this.quote(kept.name)} = ${this.quote(kept.name)}` : '';
    if (own)
      throw this.unsupported(
        'an upsert of rows that are kept apart by a plugin',
        'ON DUPLICATE KEY UPDATE cannot spare the row of somebody else; read the row first, then create or update it',
      );
    const sets = update.map(({ name }) => `${this.quote(name)} = VALUES(${this.quote(name)})`).join(', ');
    return ` ON DUPLICATE KEY UPDATE ${sets}`;
  }

  // MariaDB would take RETURNING, MySQL refuses it; neither is asked.
  protected override returningClause(): string {
    return '';
  }
}

const isBits = ({ info }: ColumnTarget): boolean =>
  info?.kind === 'bytes' && /^bit\b/i.test(info.definition.sqlType ?? '');
