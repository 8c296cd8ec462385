import type { ColumnInfo } from '../model/model-info.js';
import type {
  LogicalAssignment,
  LogicalConflict,
  LogicalCount,
  LogicalDelete,
  LogicalExpr,
  LogicalInsert,
  LogicalJoin,
  LogicalPlan,
  LogicalSelect,
  LogicalUpdate,
  LogicalValue,
  OwnRows,
  Slot,
} from '../plan/logical.js';
import type { ColumnTarget } from '../plan/parts.js';
import { conjunction } from '../plan/read-shape.js';
import { outputsOf } from '../plan/sources.js';
import { returnedRows } from '../plan/write-form.js';
import type { ColumnLimit } from './column-limits.js';
import { isOfGroup } from '../plan/values.js';
import type { ColumnKind } from '../model/kinds.js';
import { GroupScope } from './group-scope.js';
import { NewRowScope, Scope, UpsertScope } from './scope.js';
import { SelectCompiler } from './select-compiler.js';
import { SqlWriter, type Statement } from './sql-writer.js';

/**
 * Writes SQL from logical plans. This class holds what the databases agree on; `<dialect>-compiler.ts` overrides the rest.
 */
export abstract class SqlCompiler extends SelectCompiler {
  /**
   * Writes one plan.
   *
   * @throws FwError `FW_ORM_UNSUPPORTED`, `FW_ORM_COLUMN_OUT_OF_REACH`, `FW_ORM_IDENTIFIER`
   */
  compile(plan: LogicalPlan): Statement {
    const writer = new SqlWriter(
      (position) => this.placeholder(position),
      (column) => this.codecOf(column),
      this.looseBinder,
    );
    return writer.finish(this.statement(plan, writer));
  }

  // What groups are made by is told apart by its parameters, so that another text of it is none of a row; the least of its rows is the same.
  protected override valueSql(value: LogicalValue, scope: Scope, writer: SqlWriter): string {
    if (!(scope instanceof GroupScope)) return super.valueSql(value, scope, writer);
    const isOther = scope.isGroupValue(value) && (this.keepsByGroups || this.takesParameters(value));
    if (isOther) return this.least(super.valueSql(value, scope.rows, writer), value.type.kind);
    return super.valueSql(value, isOfGroup(value) ? scope.rows : scope, writer);
  }

  /** The least of values that are the same. */
  protected least(value: string, _kind: ColumnKind): string {
    return `MIN(${value})`;
  }

  /** Whether HAVING knows no columns but those of GROUP BY: what else has one value in a group is the least of its rows. */
  protected readonly keepsByGroups: boolean = false;

  protected override column(target: ColumnTarget, scope: Scope): string {
    const isDependent = this.keepsByGroups && scope instanceof GroupScope && scope.isDependent(target);
    if (!isDependent) return super.column(target, scope);
    return this.least(super.column(target, scope.rows), target.info?.kind ?? 'any');
  }

  /** The whole text of a statement. */
  protected statement(plan: LogicalPlan, writer: SqlWriter): string {
    const named = this.named(plan, writer);
    switch (plan.kind) {
      case 'select':
        return `${named}${this.select(plan, writer, undefined)}`;
      case 'count':
        return `${named}${this.count(plan, writer)}`;
      case 'update':
        return `${named}${this.update(plan, writer)}`;
      case 'delete':
        return `${named}${this.delete(plan, writer)}`;
      case 'insert':
        return `${named}${this.insert(plan, writer)}`;
    }
  }

  /** Further check of a value that is written into a column; conditions may compare with any value. */
  protected limitOf(_column: ColumnInfo): ColumnLimit | undefined {
    return undefined;
  }

  /** Placeholder of a value that a column is to hold. */
  protected heldValue(slot: Slot, column: ColumnInfo, writer: SqlWriter, check?: (value: unknown) => void): string {
    return writer.columnValue(slot, column, bothChecks(check, this.limitOf(column)));
  }

  protected count({ of, wrapped }: LogicalCount, writer: SqlWriter): string {
    if (!wrapped) {
      const scope = Scope.of(of);
      return `SELECT COUNT(*) FROM ${this.from(of, writer)}${this.tail(of, scope, writer)}`;
    }
    return `SELECT COUNT(*) FROM (${this.select(of, writer, undefined)}) AS ${this.quote('counted')}`;
  }

  protected update(update: LogicalUpdate, writer: SqlWriter): string {
    const { model, joins = [], where } = update;
    const scope = new Scope(model, joins);
    const sets = this.assignments(update, scope, writer);
    const from = joins.length > 0 ? ` FROM ${joins.map((join) => this.joined(join, writer)).join(', ')}` : '';
    return `UPDATE ${this.quote(model.table)} SET ${sets}${from}${this.where(joinedWhere(joins, where), scope, writer)}${this.returned(update, scope, writer)}`;
  }

  /** What an update sets. */
  protected assignments({ assignments, checks }: LogicalUpdate, scope: Scope, writer: SqlWriter): string {
    return assignments.map((each) => this.assignment(each, writer, checks?.get(each.column), scope)).join(', ');
  }

  /** What an update or a delete gives of each row that it wrote. */
  protected returned(write: LogicalUpdate | LogicalDelete, scope: Scope, writer: SqlWriter): string {
    const rows = returnedRows(write);
    return rows === undefined ? '' : ` RETURNING ${this.projection(rows, scope, writer)}`;
  }

  protected assignment(
    { column, form, slots, raw, computed }: LogicalAssignment,
    writer: SqlWriter,
    check?: (value: unknown) => void,
    scope: Scope = new Scope(column.model),
  ): string {
    const name = this.assignedColumn(column, scope);
    if (computed) return `${name} = ${this.assigned(computed, column, scope, writer)}`;
    if (form === 'null') return `${name} = NULL`;
    if (form === 'empty')
      return `${name} = ${this.jsonNullOrNull(this.column({ name: column.name, info: column }, scope))}`;
    if (form === 'default') return `${name} = DEFAULT`;
    if (form === 'raw' && raw) return `${name} = ${this.raw(raw, slots, writer)}`;
    const slot = slots[0] as Slot;
    if (form === 'add')
      return `${name} = ${this.column({ name: column.name, info: column }, scope)} + ${this.addend(writer.columnValue(slot, column, check), column)}`;
    return `${name} = ${this.heldValue(slot, column, writer, check)}`;
  }

  /** The null of JSON where a column holds it, else that of SQL. */
  protected jsonNullOrNull(column: string): string {
    return `CASE WHEN ${column} = 'null' THEN ${column} END`;
  }

  /** A value that is added to what a column holds; what is sent as text is a number there. */
  protected addend(value: string, _column: ColumnInfo): string {
    return value;
  }

  /** A column on the left of an assignment. */
  protected assignedColumn({ name }: ColumnInfo, _scope: Scope): string {
    return this.quote(name);
  }

  /** A computed value on its way into a column. */
  protected assigned(value: LogicalValue, _column: ColumnInfo, scope: Scope, writer: SqlWriter): string {
    return this.valueSql(value, scope, writer);
  }

  protected delete(plan: LogicalDelete, writer: SqlWriter): string {
    const { model, joins = [], where } = plan;
    const scope = new Scope(model, joins);
    const using = joins.length > 0 ? ` USING ${joins.map((join) => this.joined(join, writer)).join(', ')}` : '';
    return `DELETE FROM ${this.quote(model.table)}${using}${this.where(joinedWhere(joins, where), scope, writer)}${this.returned(plan, scope, writer)}`;
  }

  protected insert(insert: LogicalInsert, writer: SqlWriter): string {
    const { model, returning, conflict } = insert;
    const columns = this.insertColumns(insert);
    const names = columns.length === 0 ? '' : ` (${columns.map((column) => this.quote(column.name)).join(', ')})`;
    const into = `${this.insertVerb(insert)} ${this.quote(model.table)}${names}`;
    if (insert.query) return `${into} ${this.inserted(insert.query, insert, writer)}`;
    return [
      `${into}${insert.keepsKeys ? this.keptKeys() : ''}`,
      columns.length === 0 ? this.emptyRow() : this.source(insert, writer),
      conflict ? this.conflictClause(conflict, columns, writer) : '',
      this.returningClause(returning),
    ].join('');
  }

  /** The query whose rows are inserted, with what is filled besides. */
  protected inserted(query: LogicalSelect, { filled = [] }: LogicalInsert, writer: SqlWriter): string {
    if (filled.length === 0) return this.table(query, writer);
    // Behind what is selected, unless that decides which rows there are.
    const rows = this.quote('fw_rows');
    const more = () => filled.map(({ column, slot }) => this.filledValue(slot, column, writer)).join(', ');
    const names = outputsOf(query).map((name) => `${rows}.${this.quote(name)}`);
    return `SELECT ${names.join(', ')}, ${more()} FROM (${this.table(query, writer)}) AS ${rows}`;
  }

  /** A value that is the same for each of the rows of a query. */
  protected filledValue(slot: Slot, column: ColumnInfo, writer: SqlWriter): string {
    return writer.columnValue(slot, column);
  }

  /** Columns of the row, those that are computed, then those that plugins fill. */
  protected insertColumns({ columns, computed = [], filled = [] }: LogicalInsert): readonly ColumnInfo[] {
    if (filled.length === 0 && computed.length === 0) return columns;
    return [...columns, ...[...computed, ...filled].map(({ column }) => column)];
  }

  /** Where the rows of an insert come from. */
  protected source(insert: LogicalInsert, writer: SqlWriter): string {
    return ` VALUES ${this.rows(insert, writer)}`;
  }

  /** What stands behind the columns of rows that bring the numbers that the database would give them. */
  protected keptKeys(): string {
    return '';
  }

  protected insertVerb(_insert: LogicalInsert): string {
    return 'INSERT INTO';
  }

  /** VALUES of a row that leaves every column to the database. */
  protected emptyRow(): string {
    return ' DEFAULT VALUES';
  }

  protected rows(
    { model, columns, rows, computed = [], filled = [], checks }: LogicalInsert,
    writer: SqlWriter,
  ): string {
    let slot = 0;
    const scope = new NewRowScope(model);
    const row = () => {
      const own = columns.map((column) => this.heldValue(slot++, column, writer, checks?.get(column)));
      const made = computed.map((each) => this.assigned(each.computed as LogicalValue, each.column, scope, writer));
      return `(${[...own, ...made, ...filled.map(({ column, slot: fill }) => writer.columnValue(fill, column))].join(', ')})`;
    };
    return Array.from({ length: rows }, row).join(', ');
  }

  /** ON CONFLICT and its kin. */
  protected conflictClause(conflict: LogicalConflict, columns: readonly ColumnInfo[], writer: SqlWriter): string {
    const { target, update, sets = [], own, where } = conflict;
    const some = partialKey(target);
    const on = target.length === 0 ? '' : ` (${target.map((column) => this.quote(column.name)).join(', ')})${some === undefined ? '' : ` WHERE ${some}`}`; // prettier-ignore
    if (!overwrites(conflict)) return ` ON CONFLICT${on} DO NOTHING`;
    const scope = new UpsertScope((columns[0] as ColumnInfo).model);
    const taken = update.map(({ name }) => `${this.quote(name)} = excluded.${this.quote(name)}`);
    const made = sets.map((each) => this.assignment(each, writer, undefined, scope));
    const tests = [own && this.ownRow(own, writer), where && this.expr(where, scope, writer)].filter(Boolean);
    const only = tests.length > 0 ? ` WHERE ${tests.join(' AND ')}` : '';
    return ` ON CONFLICT${on} DO UPDATE SET ${[...taken, ...made].join(', ')}${only}`;
  }

  /** Whether the row that is there may be overwritten; `table` is what an upsert calls it. */
  protected ownRow({ column, slot }: OwnRows, writer: SqlWriter, table = this.quote(column.model.table)): string {
    return this.same(column, `${table}.${this.quote(column.name)}`, () => writer.columnValue(slot, column));
  }

  protected returningClause(returning: readonly ColumnInfo[]): string {
    if (returning.length === 0) return '';
    return ` RETURNING ${returning.map((column) => this.quote(column.name)).join(', ')}`;
  }
}

type Check = (value: unknown) => void;

function bothChecks(own: Check | undefined, limit: ColumnLimit | undefined): Check | undefined {
  if (own === undefined || limit === undefined) return own ?? limit;
  return (value) => {
    own(value);
    limit(value);
  };
}

/** Which rows the unique index of these columns is of, when it is not of all: a database takes it for a key only where that is said. */
export function partialKey(target: readonly ColumnInfo[]): string | undefined {
  const [first] = target;
  if (first === undefined) return undefined;
  const { primaryKey, indexes } = first.model;
  const isTarget = (columns: readonly ColumnInfo[]) =>
    columns.length === target.length && columns.every((column) => target.includes(column));
  if (isTarget(primaryKey) || (target.length === 1 && first.definition.unique === true)) return undefined;
  const unique = indexes.filter((each) => each.unique && each.expressions.length === 0 && isTarget(each.columns));
  return unique.every(({ where }) => where !== undefined) ? unique[0]?.where : undefined;
}

/** Conditions of joins and of the statement, together. */
export const joinedWhere = (joins: readonly LogicalJoin[], where: LogicalExpr | undefined): LogicalExpr | undefined =>
  conjunction([...joins.map(({ on }) => on), where].filter((expr) => expr !== undefined));

/** Whether a row that is there is changed at all. */
export const overwrites = ({ update, sets = [] }: LogicalConflict): boolean => update.length > 0 || sets.length > 0;
