import { isOfColumn } from '../expression/selection.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type {
  DistinctOn,
  Bound,
  LogicalCall,
  LogicalExpr,
  LogicalJson,
  LogicalJoin,
  LogicalList,
  LogicalOrder,
  LogicalOrdered,
  LogicalPlan,
  LogicalSelect,
  LogicalSource,
  LogicalValue,
  LogicalWindow,
  Projection,
  Slot,
} from '../plan/logical.js';
import type {
  FunctionName,
  AggregatePart,
  ColumnTarget,
  ComparisonOp,
  LockMode,
  SetOp,
  RawPart,
  SubqueryOp,
} from '../plan/parts.js';
import { begun } from '../plan/begun.js';
import { bindsCloser } from '../plan/combined.js';
import type { Binder } from '../plan/plan.js';
import { isGrouped, typeOfColumn } from '../plan/projection.js';
import { formOf } from '../plan/rewrite.js';
import { namedSources, outputOf } from '../plan/sources.js';
import { slotsOf } from '../plan/values.js';
import { AGGREGATES, COMPARISONS, JOINS, NULLS, SETS, SUBQUERIES, WINDOW_FUNCTIONS, type WordOf } from '../plan/words.js'; // prettier-ignore
import { assertComparable, assertText, ORDERS, patternBinder, typeOfTerm } from './comparable.js';
import { DialectWords } from './dialect-words.js';
import { nameParts } from '../model/identifiers.js';
import { dollarPath, standardFunctions, type FunctionTable } from './functions.js';
import type { ColumnKind } from '../model/kinds.js';
import { GroupScope } from './group-scope.js';
import { ResultScope, Scope } from './scope.js';
import { assertOrderedAlike, assertSameSlots, selectedItems, type SelectedValue } from './selected-values.js';
import { type SqlWriter, boundBinder } from './sql-writer.js';

/** Writes SQL of queries, and of the parts that all statements share. */
export abstract class SelectCompiler extends DialectWords {
  /** Lock clause at the end of a SELECT; empty when the database locks otherwise or not at all. */
  protected abstract lockClause(mode: LockMode, select: LogicalSelect): string;
  /** Encodes a value of a raw fragment by its JavaScript type. */
  protected abstract readonly looseBinder: Binder;

  protected select(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined): string {
    if (select.sets) return this.combined(select, writer, outer);
    const scope = Scope.of(select, outer);
    if (select.perGroup) return this.ranked(select, scope, writer);
    if (select.distinctOn) return this.picked(select, scope, writer, outer);
    return [
      `SELECT ${select.distinct ? 'DISTINCT ' : ''}${this.projection(select, scope, writer)}`,
      ` FROM ${this.from(select, writer)}`,
      this.tail(select, scope, writer),
    ].join('');
  }

  /** Combined rows of several queries, as a table with order and bounds. */
  protected combined(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined): string {
    const { top, tail, rows } = this.combinedRows(select, writer, outer);
    // Some databases show a table within FROM no columns of the query around.
    if (select.orderBy.length === 0 && !select.limit && !select.offset) return rows();
    return `SELECT ${top}* FROM (${rows()}) AS ${this.quote('combined')}${tail()}`;
  }

  /** What stands between queries whose rows are combined. */
  protected setOperator(op: SetOp): string {
    return SETS.sql(op);
  }

  /** Parts of a statement over combined rows, each to be written in its turn. */
  protected combinedRows(select: LogicalSelect, writer: SqlWriter, outer: Scope | undefined) {
    const { sets = [], orderBy } = select;
    const own = { ...select, sets: undefined, orderBy: [], limit: undefined, offset: undefined };
    const rows = (): string =>
      sets.reduce(
        (all, { op, query }, at) => {
          const before = bindsCloser(op, sets.slice(0, at)) ? this.combinedOperand(all) : all;
          const next = this.select(query, writer, outer);
          const isOne = query.sets === undefined && !query.limit && !query.offset;
          return `${before} ${this.setOperator(op)} ${isOne ? next : this.combinedOperand(next)}`;
        },
        this.select(own, writer, outer),
      );
    const scope = new ResultScope(select) as unknown as Scope;
    const tail = () => `${this.orderBy({ ...own, orderBy }, scope, writer)}${this.bounds(select, writer)}`;
    return { top: '', rows, tail };
  }

  /** Rows that are combined as if they were one query's. */
  protected combinedOperand(rows: string): string {
    return `(${rows})`;
  }

  /** The first row of each group of equal values in some columns: numbers the rows, and selects those with number one. */
  protected picked(select: LogicalSelect, scope: Scope, writer: SqlWriter, _outer?: Scope): string {
    const { terms, order } = select.distinctOn as DistinctOn;
    assertOrderedAlike(terms, order, writer);
    const { model, projection, orderBy } = select;
    const whole = model.readable.map((info): Projection => ({ t: 'column', target: { name: info.name, info } }));
    const items = projection.length > 0 ? projection : whole;
    const inner = items.map((item, at) => `${this.bare(item, scope, writer)} AS ${this.quote(`fw_item${at}`)}`);
    const places = order.map((term, at) => `${this.orderKey(term, scope, writer)} AS ${this.quote(`fw_key${at}`)}`);
    const groups = order.slice(0, terms.length).map((term) => this.orderKey(term, scope, writer)).join(', '); // prettier-ignore
    const behind = order.length > terms.length ? order.slice(terms.length) : order;
    const within = behind.map((term) => this.orderTerm(term, () => this.orderKey(term, scope, writer)));
    const place = `ROW_NUMBER() OVER (PARTITION BY ${groups} ORDER BY ${within.join(', ')})`;
    const from = this.from(select, writer);
    const rest = this.tail({ ...select, orderBy: [], limit: undefined, offset: undefined }, scope, writer);
    const rows = `SELECT ${[...inner, ...places].join(', ')}, ${place} AS ${this.quote('fw_place')} FROM ${from}${rest}`;
    const names = items.map((item, at) => `${this.quote(`fw_item${at}`)} AS ${this.quote(outputOf(item, at))}`);
    const sortedBy = order.map((term, at) => this.orderTerm(term, () => this.quote(`fw_key${at}`)));
    const sorted = orderBy.length > 0 ? ` ORDER BY ${sortedBy.join(', ')}` : '';
    return `SELECT ${this.top(select, writer)}${names.join(', ')} FROM (${rows}) AS ${this.quote('picked')} WHERE ${this.quote('fw_place')} = 1${sorted}${this.bounds(select, writer)}`;
  }

  /** What a term of an order is of, in a query of rows. */
  protected orderKey({ target, value }: LogicalOrder, scope: Scope, writer: SqlWriter): string {
    this.assertOrdered(typeOfTerm({ target, value }));
    return target ? this.compared(target, scope) : this.valueSql(value as LogicalValue, scope, writer);
  }

  /** Whether values of the call stand in a computed one, so that two texts of it are not the same to a database. */
  protected takesParameters(value: LogicalValue): boolean {
    return slotsOf(value).length > 0;
  }

  /** What limits the rows where that stands before the columns. */
  protected top(_select: LogicalSelect, _writer: SqlWriter): string {
    return '';
  }

  // A selected item without its name.
  private bare(item: Projection, scope: Scope, writer: SqlWriter): string {
    if (item.t === 'value') return this.valueSql(item.value, scope, writer);
    return item.t === 'aggregate' ? this.aggregate(item.aggregate, scope) : this.item({ ...item, alias: undefined }, scope, writer); // prettier-ignore
  }

  /** The first rows of each group: ranks the rows, and selects the low ranks. */
  protected ranked(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const { model, perGroup, key, orderBy } = select;
    const { targets, limit } = perGroup as NonNullable<typeof perGroup>;
    const order =
      orderBy.length > 0
        ? orderBy
        : model.primaryKey.map((info) => ({ target: { name: info.name, info }, desc: false }));
    const items = this.projection(select, scope, writer);
    const rank = `ROW_NUMBER() OVER (PARTITION BY ${targets.map((target) => this.column(target, scope)).join(', ')}${this.orderBy({ ...select, orderBy: order }, scope, writer)})`;
    const inner = `SELECT ${items}, ${rank} AS ${this.quote('fw_rank')} FROM ${this.from(select, writer)}${this.tail({ ...select, orderBy: [] }, scope, writer)}`;
    const names = [...model.readable.map(({ name }) => name), ...(key ? ['fw_key'] : [])].map((name) =>
      this.quote(name),
    );
    const condition = `${this.quote('fw_rank')} <= ${this.bound(limit, writer)} ORDER BY ${this.quote('fw_rank')}`;
    return `SELECT ${names.join(', ')} FROM (${inner}) AS ${this.quote('ranked')} WHERE ${condition}`;
  }

  /** The queried table. */
  protected from(
    select: Pick<LogicalSelect, 'model' | 'only' | 'alias' | 'source'>,
    writer: SqlWriter,
    hint = '',
  ): string {
    const { model, only, alias, source } = select;
    if (source !== undefined) return this.sourceTable(source, alias ?? source.name, writer);
    if (only === undefined && alias === undefined) return `${this.quote(model.table)}${hint}`;
    if (only === undefined) return `${this.quote(model.table)} AS ${this.quote(alias as string)}${hint}`;
    if (alias !== undefined) return `${this.onlyRows(model, only, writer, hint)} AS ${this.quote(alias)}`;
    // The name of a derived table has one part, and columns are qualified by it.
    if ((nameParts(model.table) ?? []).length > 1)
      throw this.unsupported('a right or full join from a table of a named schema', 'a plugin hides some of its rows');
    return `${this.onlyRows(model, only, writer, hint)} AS ${this.quote(model.table)}`;
  }

  /** A query in the place of a table, under a name. */
  protected sourceTable({ name, named, query }: LogicalSource, alias: string, writer: SqlWriter): string {
    const isReference = named || query === undefined;
    if (isReference) return alias === name ? this.quote(name) : `${this.quote(name)} AS ${this.quote(alias)}`;
    return `(${this.table(query, writer)}) AS ${this.quote(alias)}`;
  }

  /** A query that stands for a table; without bounds its order says nothing. */
  protected table(query: LogicalSelect, writer: SqlWriter): string {
    return this.select(query.limit || query.offset ? query : { ...query, orderBy: [] }, writer, undefined);
  }

  /** `WITH`: the queries that a statement names at its beginning; empty where there are none. */
  protected named(plan: LogicalPlan, writer: SqlWriter): string {
    const sources = namedSources(plan, writer);
    if (sources.length === 0) return '';
    const texts = sources.map(({ name, columns, query, step, materialized }) => {
      const own = this.table(begun(query, step?.query, this.functions), writer);
      const list = columns.map((column) => this.quote(column)).join(', ');
      const further = step ? ` ${SETS.sql(step.op)} ${this.table(step.query, writer)}` : '';
      return `${this.quote(name)} (${list}) AS ${this.materializedWord(materialized)}(${own}${further})`;
    });
    return `${this.withVerb(sources.some(({ step }) => step !== undefined))} ${texts.join(', ')} `;
  }

  /** What says whether a named query is computed by itself, where there is such a word: it changes no rows. */
  protected materializedWord(_materialized: boolean | undefined): string {
    return '';
  }

  protected withVerb(isRecursive: boolean): string {
    return isRecursive ? 'WITH RECURSIVE' : 'WITH';
  }

  /** Some rows of a table as a table. */
  protected onlyRows(model: ModelInfo, only: LogicalExpr, writer: SqlWriter, hint = ''): string {
    return `(SELECT * FROM ${this.quote(model.table)}${hint}${this.where(only, new Scope(model), writer)})`;
  }

  /** Everything behind FROM. */
  protected tail(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    return [
      ...select.joins.map((join) => this.join(join, scope, writer)),
      this.filter(select, scope, writer),
      this.groupBy(select, scope, writer),
      this.orderBy(select, scope, writer),
      this.bounds(select, writer),
      select.lock === undefined ? '' : this.lockClause(select.lock, select),
    ].join('');
  }

  /** `WHERE` of a select. */
  protected filter({ where }: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    return this.where(where, scope, writer);
  }

  protected projection({ projection, model, key }: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    if (projection.length > 0) return projection.map((item) => this.item(item, scope, writer)).join(', ');
    const columns = model.readable.map((column) => this.column({ name: column.name, info: column }, scope));
    return [...columns, ...(key ? [`${this.column(key, scope)} AS ${this.quote('fw_key')}`] : [])].join(', ');
  }

  protected item(item: Projection, scope: Scope, writer: SqlWriter): string {
    if (item.t === 'value') return `${this.valueSql(item.value, scope, writer)} AS ${this.quote(item.alias)}`;
    if (item.t === 'aggregate')
      return `${this.aggregate(this.assertEdge(item.aggregate), scope)} AS ${this.quote(item.aggregate.alias)}`;
    const text = item.t === 'one' ? '1' : item.t === 'raw' ? item.sql : this.column(item.target, scope);
    return item.alias === undefined ? text : `${text} AS ${this.quote(item.alias)}`;
  }

  protected aggregate({ name, target, distinct }: AggregatePart, scope: Scope): string {
    const inner = target ? this.column(target, scope) : '*';
    return `${AGGREGATES.sql(name)}(${distinct ? 'DISTINCT ' : ''}${inner})`;
  }

  /** An aggregate in a comparison, of a type that its values are compared in. */
  protected comparedAggregate(part: AggregatePart, scope: Scope): string {
    return this.aggregate(part, scope);
  }

  protected aggregateComparison(
    { aggregate, op, slot }: LogicalExpr & { t: 'aggregate' },
    scope: Scope,
    writer: SqlWriter,
  ): string {
    const { target } = this.assertEdge(aggregate);
    const value = target && isOfColumn(aggregate) ? this.value(slot, target, writer) : writer.looseValue(slot);
    return `${this.comparedAggregate(aggregate, scope instanceof GroupScope ? scope.rows : scope)} ${COMPARISONS.sql(op)} ${value}`;
  }

  protected column(target: ColumnTarget, scope: Scope): string {
    const { table, column } = scope.resolve(target);
    return table === undefined ? this.quote(column) : `${this.quote(table)}.${this.quote(column)}`;
  }

  /** A column that is compared, grouped or ordered by, as SQL that is equal and ordered as the values are. */
  protected compared(target: ColumnTarget, scope: Scope): string {
    return this.column(target, scope);
  }

  protected join(join: LogicalJoin, scope: Scope, writer: SqlWriter): string {
    const table = this.joined(join, writer);
    const on = join.on ? ` ON ${this.expr(join.on, scope, writer)}` : '';
    return ` ${JOINS.sql(join.kind)} ${table}${on}`;
  }

  /** The table of a join, under its name. */
  protected joined(join: LogicalJoin, writer: SqlWriter): string {
    if (join.source) return this.sourceTable(join.source, join.alias, writer);
    const isRenamed = join.alias !== join.table || join.only !== undefined;
    const alias = isRenamed ? ` AS ${this.quote(join.alias)}` : '';
    const table = join.only && join.model ? this.onlyRows(join.model, join.only, writer) : this.quote(join.table);
    return `${table}${alias}`;
  }

  protected where(where: LogicalExpr | undefined, scope: Scope, writer: SqlWriter): string {
    if (where === undefined) return '';
    // The outermost conjunction needs no parentheses.
    if (where.t === 'junction' && where.kind === 'and' && where.operands.length > 0) {
      return ` WHERE ${where.operands.map((operand) => this.expr(operand, scope, writer)).join(' AND ')}`;
    }
    return ` WHERE ${this.expr(where, scope, writer)}`;
  }

  protected groupBy(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const { groupBy, groupValues = [], having } = select;
    const seen = new Map<string, number>();
    const computed = groupValues.map((value) => this.groupValue(value, select, seen, scope, writer));
    const groups = [...groupBy.map((target) => this.compared(target, scope)), ...computed].join(', ');
    const kept = having && ` HAVING ${this.expr(having, new GroupScope(select, scope), writer)}`;
    return [groups && ` GROUP BY ${groups}`, kept].join('');
  }

  // With parameters, a database treats two texts of one expression as different, so the selected one is referred to by its position.
  private groupValue(
    value: LogicalValue,
    select: LogicalSelect,
    seen: Map<string, number>,
    scope: Scope,
    writer: SqlWriter,
  ): string {
    if (slotsOf(value).length === 0) return this.valueSql(value, scope, writer);
    const form = formOf(value);
    const turn = seen.get(form) ?? 0;
    seen.set(form, turn + 1);
    const found = selectedItems(select, form)[turn];
    if (found === undefined) return this.valueSql(value, scope, writer);
    assertSameSlots(found.value, value, writer);
    return this.selectedGroup(found, scope, writer);
  }

  /** A selected value that groups are made by. */
  protected selectedGroup({ at }: SelectedValue, _scope: Scope, _writer: SqlWriter): string {
    return String(at + 1);
  }

  protected orderBy(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const { orderBy } = select;
    if (orderBy.length === 0) return '';
    const terms = orderBy.map((order) => {
      const { target, value } = order;
      this.assertOrdered(typeOfTerm(order));
      const key = () =>
        target ? this.compared(target, scope) : this.orderValue(value as LogicalValue, select, scope, writer);
      return this.orderTerm(order, key);
    });
    return ` ORDER BY ${terms.join(', ')}`;
  }

  // For groups and distinct rows it is the selected value; otherwise its parameters may differ.
  private orderValue(value: LogicalValue, select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const isOfRows = !select.distinct && !isGrouped(select);
    const [found] = isOfRows || slotsOf(value).length === 0 ? [] : selectedItems(select, formOf(value));
    if (found === undefined) return this.valueSql(value, isOfRows ? scope : new GroupScope(select, scope), writer);
    assertSameSlots(found.value, value, writer);
    return this.selectedOrder(found, scope, writer);
  }

  /** A selected value that groups or distinct rows are ordered by. */
  protected selectedOrder({ alias }: SelectedValue, _scope: Scope, _writer: SqlWriter): string {
    return this.quote(alias);
  }

  /**
   * A term of an order.
   *
   * @param key - writes what it orders by
   */
  protected orderTerm({ desc, nulls }: LogicalOrder, key: () => string): string {
    return `${key()}${desc ? ' DESC' : ''}${nulls ? ` ${NULLS.sql(nulls)}` : ''}`;
  }

  /** SQL of functions; a dialect adds its own, and what it writes otherwise. */
  protected readonly functions: FunctionTable = standardFunctions((number) => `CAST(${number} AS double precision)`);

  /** A value that the database computes. */
  protected valueSql(value: LogicalValue, scope: Scope, writer: SqlWriter): string {
    switch (value.t) {
      case 'column':
        return this.operandColumn(value.target, scope);
      case 'parameter':
        return this.operandParameter(value.type.kind, value.slot, writer);
      case 'path':
        return this.pathParameter(value.slot, writer);
      case 'call':
        return this.callSql(value, scope, writer);
      case 'case':
        return this.caseSql(value, scope, writer);
      case 'aggregate':
        return this.finished(this.aggregateSql(value, scope, writer), value);
      case 'window':
        return this.windowSql(value, scope, writer);
      case 'list':
        return this.listSql(value, scope, writer);
      case 'json':
        return this.jsonSql(value, scope, writer);
      case 'ordered':
        return this.orderedSql(value, scope, writer);
      case 'truth':
        return this.truthSql(value.condition, scope, writer);
      case 'collate':
        return `${this.valueSql(value.operand, scope, writer)} COLLATE ${this.collation(value.collation)}`;
      case 'query':
        return `(${this.nested(value.query, 'eq', writer, scope)})`;
    }
  }

  /** A column in an expression. */
  protected operandColumn(target: ColumnTarget, scope: Scope): string {
    return this.compared(target, scope);
  }

  /** A value of the call in an expression. */
  protected operandParameter(kind: ColumnKind, slot: Slot, writer: SqlWriter): string {
    return writer.kindValue(slot, kind, this.codecs[kind]);
  }

  /** Steps into JSON, as this database spells them. */
  protected pathParameter(slot: Slot, writer: SqlWriter): string {
    const refused = () => {
      throw this.unsupported('a place of JSON from the end', 'not all of its releases take one; count from 0');
    };
    return writer.boundValue(slot, (steps) => dollarPath(steps as readonly (string | number)[], refused));
  }

  /** An operand of a function. */
  protected operandSql(_of: FunctionName, operand: LogicalValue, scope: Scope, writer: SqlWriter): string {
    return this.valueSql(operand, scope, writer);
  }

  protected callSql({ name, operands, type }: LogicalCall, scope: Scope, writer: SqlWriter): string {
    const sql = this.functions[name];
    if (sql === undefined)
      throw this.unsupported(`the function ${name}`, 'it has none that gives the same; use raw with one of its own');
    const written = operands.map((operand) => ({
      kind: operand.type.kind,
      column: operand.type.column,
      isLong: operand.t === 'parameter' || (operand.t === 'call' && CALCULATIONS.has(operand.name)),
      sql: () => this.operandSql(name, operand, scope, writer),
    }));
    return sql(written, type.kind);
  }

  /** Values of many rows as JSON. */
  protected jsonSql(_value: LogicalJson, _scope: Scope, _writer: SqlWriter): string {
    throw this.unsupported('jsonAgg', 'not all of its releases make JSON of rows; read the rows, or preload them');
  }

  /** The same by a function of the database that takes an order, and a condition behind it. */
  protected jsonBy(by: string, { name, operand, where, orders }: LogicalJson, scope: Scope, writer: SqlWriter): string {
    const values = `${name ? `${this.valueSql(name, scope, writer)}, ` : ''}${this.jsonMember(operand, scope, writer)}`;
    const order = orders.length > 0 ? ` ORDER BY ${this.listOrder(orders, scope, writer)}` : '';
    const tests = [name && `${this.valueSql(name, scope, writer)} IS NOT NULL`, where && this.expr(where, scope, writer)]; // prettier-ignore
    const some = tests.filter(Boolean).join(' AND ');
    return `${by}(${values}${order})${some && ` FILTER (WHERE ${some})`}`;
  }

  /** A value as one of JSON. */
  protected jsonMember(operand: LogicalValue, scope: Scope, writer: SqlWriter): string {
    return this.callSql({ t: 'call', name: 'jsonMember', operands: [operand], type: { kind: 'json' } }, scope, writer);
  }

  /** An aggregate of values in an order. */
  protected orderedSql(value: LogicalOrdered, _scope: Scope, _writer: SqlWriter): string {
    throw this.unsupported(value.name, 'it has no such aggregate; read the value in an order, with offset and limit');
  }

  /** A condition as a value that is true, false or null. */
  protected truthSql(condition: LogicalExpr, scope: Scope, writer: SqlWriter): string {
    return `(${this.expr(condition, scope, writer)})`;
  }

  /** A comparison of two values. */
  protected compareSql(op: ComparisonOp, left: string, right: string): string {
    return `${left} ${COMPARISONS.sql(op)} ${right}`;
  }

  protected caseSql(
    { branches, otherwise }: LogicalValue & { readonly t: 'case' },
    scope: Scope,
    writer: SqlWriter,
  ): string {
    const each = branches.map(({ when, then }) => {
      return `WHEN ${this.expr(when, scope, writer)} THEN ${this.valueSql(then, scope, writer)}`;
    });
    const rest = otherwise ? ` ELSE ${this.valueSql(otherwise, scope, writer)}` : '';
    return `CASE ${each.join(' ')}${rest} END`;
  }

  protected aggregateSql(
    { name, distinct, operand }: LogicalValue & { readonly t: 'aggregate' },
    scope: Scope,
    writer: SqlWriter,
  ): string {
    if (operand === undefined) return 'COUNT(*)';
    if (name === 'min' || name === 'max') this.assertOrdered(operand.type);
    const inner = this.valueSql(operand, scope, writer);
    const number = name === 'avg' ? this.functions.toDouble?.([{ kind: operand.type.kind, isLong: true, sql: () => inner }], 'float') : inner; // prettier-ignore
    return `${AGGREGATES.sql(name)}(${distinct ? 'DISTINCT ' : ''}${number})`;
  }

  /** An aggregate, or one over a window, as a value of its type. */
  protected finished(sql: string, _aggregate: LogicalValue & { readonly t: 'aggregate' }): string {
    return sql;
  }

  /** Texts of many rows in one. */
  protected listSql({ operand, separator, orders }: LogicalList, scope: Scope, writer: SqlWriter): string {
    const [text, between] = [this.valueSql(operand, scope, writer), this.valueSql(separator, scope, writer)];
    return `${this.listFunction}(${text}, ${between} ORDER BY ${this.listOrder(orders, scope, writer)})`;
  }

  /** The function that makes a list of texts. */
  protected readonly listFunction: string = 'STRING_AGG';

  protected listOrder(orders: LogicalList['orders'], scope: Scope, writer: SqlWriter): string {
    return orders.map((order) => this.orderTerm(order, () => this.orderKey(order, scope, writer))).join(', ');
  }

  /** The name of a collation. */
  protected collation(name: string): string {
    return this.quote(name);
  }

  protected windowSql({ name, operand, partitions, orders }: LogicalWindow, scope: Scope, writer: SqlWriter): string {
    const own =
      operand?.t === 'aggregate' && name === 'aggregate'
        ? this.aggregateSql(operand, scope, writer)
        : `${WINDOW_FUNCTIONS.sql(name as WordOf<typeof WINDOW_FUNCTIONS>)}(${operand ? this.valueSql(operand, scope, writer) : ''})`;
    const parts = partitions.map((value) => this.valueSql(value, scope, writer));
    const [by, keys] = [this.divided({ partitions, orders }, scope, parts), this.listOrder(orders, scope, writer)];
    const made = `${own} OVER (${[by && `PARTITION BY ${by}`, keys && `ORDER BY ${keys}`].filter(Boolean).join(' ')})`;
    return operand?.t === 'aggregate' ? this.finished(made, operand) : made;
  }

  protected valueComparison(
    { op, left, right }: LogicalExpr & { readonly t: 'values' },
    scope: Scope,
    writer: SqlWriter,
  ): string {
    const first = this.valueSql(left, scope, writer);
    if (ORDERS.has(op)) this.assertOrdered(left.type);
    if (op !== 'like' && op !== 'ilike') return this.compareSql(op, first, this.valueSql(right, scope, writer));
    const second =
      right.t === 'parameter'
        ? writer.boundValue(
            right.slot,
            patternBinder({ name: 'expression' }, (pattern) => this.pattern(pattern)),
          )
        : this.valueSql(right, scope, writer);
    return op === 'ilike' ? this.caseless(first, second) : this.like(first, second);
  }

  /** `LIMIT ... OFFSET ...` */
  protected bounds({ limit, offset }: LogicalSelect, writer: SqlWriter): string {
    const first = limit ? ` LIMIT ${this.bound(limit, writer)}` : offset ? this.limitlessOffset() : '';
    return `${first}${offset ? ` OFFSET ${this.bound(offset, writer)}` : ''}`;
  }

  /** What must stand before OFFSET when there is no limit. */
  protected limitlessOffset(): string {
    return '';
  }

  protected bound(bound: Bound, writer: SqlWriter): string {
    if ('literal' in bound) return String(bound.literal);
    const { slot, most } = bound;
    return writer.boundValue(slot, most === undefined ? boundBinder : (value) => Math.min(value as number, most));
  }

  /** One condition. */
  protected expr(expr: LogicalExpr, scope: Scope, writer: SqlWriter): string {
    switch (expr.t) {
      case 'compare':
        return this.comparison(expr, scope, writer);
      case 'in':
        return this.membership(expr, scope, writer);
      case 'inArray':
        return this.arrayMembership(expr, scope, writer);
      case 'null':
        return `${this.column(expr.target, scope)} IS ${expr.negated ? 'NOT ' : ''}NULL`;
      case 'tuples':
        return this.tuples(expr, scope, writer);
      case 'between':
        return this.between(expr, scope, writer);
      case 'columns':
        return this.columnComparison(expr, scope);
      case 'arrays':
        return this.arrayCondition(expr, scope, writer);
      case 'junction':
        return this.junction(expr, scope, writer);
      case 'not':
        return `NOT (${this.expr(expr.operand, scope, writer)})`;
      case 'raw':
        return `(${this.raw(expr.raw, expr.slots, writer)})`;
      case 'subquery':
        return this.subquery(expr, scope, writer);
      case 'aggregate':
        return this.aggregateComparison(expr, scope, writer);
      case 'values':
        return this.valueComparison(expr, scope, writer);
      case 'valueIn': {
        const left = this.valueSql(expr.value, scope, writer);
        const list = expr.list.map((each) => this.valueSql(each, scope, writer)).join(', ');
        return `${left} ${expr.negated ? 'NOT ' : ''}IN (${list})`;
      }
      case 'valueBetween': {
        const left = this.valueSql(expr.value, scope, writer);
        const low = this.valueSql(expr.low, scope, writer);
        return `${left} BETWEEN ${low} AND ${this.valueSql(expr.high, scope, writer)}`;
      }
      case 'valueNull':
        return `${this.valueSql(expr.value, scope, writer)} IS ${expr.negated ? 'NOT ' : ''}NULL`;
      case 'constant':
        return expr.value ? '1 = 1' : '1 = 0';
    }
  }

  protected comparison(expr: LogicalExpr & { t: 'compare' }, scope: Scope, writer: SqlWriter): string {
    const { target, op, slot, exact } = expr;
    if (exact && target.info)
      return this.same(target.info, this.compared(target, scope), () => this.value(slot, target, writer));
    if (ORDERS.has(op)) this.assertOrdered(typeOfColumn(target.info));
    if (op !== 'like' && op !== 'ilike')
      return this.compareSql(op, this.compared(target, scope), this.value(slot, target, writer));
    assertText(target, op);
    const binder = patternBinder(target, (pattern) => this.pattern(pattern));
    const [left, pattern] = [this.column(target, scope), writer.boundValue(slot, binder)];
    return op === 'ilike' ? this.caseless(left, pattern) : this.like(left, pattern);
  }

  /** Whether a column has a value, letter for letter where it is text. */
  protected same(info: ColumnInfo, column: string, value: () => string): string {
    return info.kind === 'string' || info.kind === 'text'
      ? this.sameText(info, column, value)
      : `${column} = ${value()}`;
  }

  /**
   * Whether two texts have the same letters, where columns may be compared by a collation that takes others for the same.
   *
   * @param value - writes the value, as often as it is called
   */
  protected sameText(_info: ColumnInfo, column: string, value: () => string): string {
    return `${column} = ${value()}`;
  }

  /** `LIKE`, where `\` takes the character behind it as it is. */
  protected like(left: string, right: string): string {
    return `${left} LIKE ${right}`;
  }

  /** `ILIKE`, emulated by default. */
  protected caseless(left: string, right: string): string {
    return this.like(`LOWER(${left})`, `LOWER(${right})`);
  }

  /** A pattern with `%`, `_` and `\` as this database spells it. */
  protected pattern(pattern: string): string {
    return pattern;
  }

  /** A value beside a column that it is compared with. */
  protected value(slot: Slot, target: ColumnTarget, writer: SqlWriter): string {
    assertComparable(target);
    return writer.columnValue(slot, target.info);
  }

  protected membership(expr: LogicalExpr & { t: 'in' }, scope: Scope, writer: SqlWriter): string {
    const left = this.compared(expr.target, scope);
    const list = expr.slots.map((slot) => this.value(slot, expr.target, writer)).join(', ');
    return `${left} ${expr.negated ? 'NOT ' : ''}IN (${list})`;
  }

  /** Several columns in a list of rows of values. */
  protected tuples(expr: LogicalExpr & { t: 'tuples' }, scope: Scope, writer: SqlWriter): string {
    const left = expr.targets.map((target) => this.compared(target, scope)).join(', ');
    return `(${left}) ${expr.negated ? 'NOT ' : ''}IN (${this.rowValues(this.tupleRows(expr, writer))})`;
  }

  /** Rows of values as `IN` takes them. */
  protected rowValues(rows: readonly (readonly string[])[]): string {
    return rows.map((row) => `(${row.join(', ')})`).join(', ');
  }

  /** Placeholders of the rows of a tuple's list. */
  protected tupleRows({ targets, slots }: LogicalExpr & { t: 'tuples' }, writer: SqlWriter): readonly string[][] {
    return Array.from({ length: slots.length / targets.length }, (_, row) =>
      targets.map((target, at) => this.value(slots[row * targets.length + at] as Slot, target, writer)),
    );
  }

  protected arrayMembership(expr: LogicalExpr & { t: 'inArray' }, scope: Scope, writer: SqlWriter): string {
    const list = writer.arrayValue(expr.slot, expr.target.info as ColumnInfo);
    const left = this.column(expr.target, scope);
    return expr.negated ? `${left} <> ALL(${list})` : `${left} = ANY(${list})`;
  }

  /** A comparison of an array column. */
  protected arrayCondition({ op }: LogicalExpr & { t: 'arrays' }, _scope: Scope, _writer: SqlWriter): string {
    const feature = `array${op.charAt(0).toUpperCase()}${op.slice(1)}`;
    throw this.unsupported(feature, 'it keeps arrays as JSON; use raw with its functions of JSON, or a table of the elements'); // prettier-ignore
  }

  protected between(expr: LogicalExpr & { t: 'between' }, scope: Scope, writer: SqlWriter): string {
    this.assertOrdered(typeOfColumn(expr.target.info));
    const left = this.compared(expr.target, scope);
    const low = this.value(expr.low, expr.target, writer);
    return `${left} BETWEEN ${low} AND ${this.value(expr.high, expr.target, writer)}`;
  }

  protected columnComparison({ left, op, right }: LogicalExpr & { t: 'columns' }, scope: Scope): string {
    if (op === 'ilike') return this.caseless(this.column(left, scope), this.column(right, scope));
    if (op === 'like') return this.like(this.column(left, scope), this.column(right, scope));
    assertComparable(left);
    if (ORDERS.has(op)) this.assertOrdered(typeOfColumn(left.info));
    return this.compareSql(op, this.compared(left, scope), this.compared(right, scope));
  }

  protected junction({ kind, operands }: LogicalExpr & { t: 'junction' }, scope: Scope, writer: SqlWriter): string {
    if (operands.length === 0) return kind === 'and' ? '1 = 1' : '1 = 0';
    const inner = operands.map((operand) => this.expr(operand, scope, writer)).join(kind === 'and' ? ' AND ' : ' OR ');
    return operands.length === 1 ? inner : `(${inner})`;
  }

  protected subquery(expr: LogicalExpr & { t: 'subquery' }, scope: Scope, writer: SqlWriter): string {
    const targets = expr.targets ?? (expr.target ? [expr.target] : []);
    const compared = targets.map((target) => this.compared(target, scope)).join(', ');
    const one = expr.value ? this.valueSql(expr.value, scope, writer) : compared;
    const left = targets.length > 1 ? `(${compared}) ` : one === '' ? '' : `${one} `;
    const inner = this.nested(expr.query, expr.op, writer, scope);
    if (!SUBQUERIES.has(expr.op)) return this.compareSql(expr.op as ComparisonOp, one, `(${inner})`);
    return `${left}${SUBQUERIES.sql(expr.op)} (${inner})`;
  }

  /** A query within another; without bounds its order says nothing. */
  protected nested(query: LogicalSelect, _op: SubqueryOp, writer: SqlWriter, scope: Scope): string {
    return this.select(query.limit || query.offset ? query : { ...query, orderBy: [] }, writer, scope);
  }

  protected raw({ raw, sizes }: RawPart, slots: readonly Slot[], writer: SqlWriter): string {
    let slot = 0;
    const parameters = sizes.map((size) => {
      return Array.from({ length: size }, () => writer.looseValue(slots[slot++] as Slot)).join(', ');
    });
    return raw.texts.map((text, index) => text + (parameters[index] ?? '')).join('');
  }
}

const CALCULATIONS: ReadonlySet<FunctionName> = new Set(['add', 'subtract', 'multiply', 'modulo']);
