import {
  SqlCompiler,
  Words,
  characterCount,
  checkedBinder,
  columnBinder,
  columnLimit,
  nameParts,
  overwrites,
  type AggregatePart,
  type ColumnInfo,
  type ColumnKind,
  type ColumnLimit,
  type ColumnTarget,
  type KindCodec,
  type LockMode,
  type LogicalConflict,
  type LogicalExpr,
  type LogicalInsert,
  type LogicalJson,
  type LogicalOrdered,
  type LogicalSelect,
  type Scope,
  type Slot,
  type SqlWriter,
} from '../dialect/index.js';
import { arrayText } from './postgres-arrays.js';
import { encodeAny, postgresCodec, postgresCodecs } from './postgres-codecs.js';
import { PARAMETER_TYPES, postgresFunctions } from './postgres-functions.js';
import { postgresSchema } from './postgres-schema.js';

// The names of tables stand before what is to happen with a row that somebody else has locked.
const LOCKS = new Words<LockMode>('A lock', {
  update: ' FOR UPDATE{of}',
  share: ' FOR SHARE{of}',
  noKeyUpdate: ' FOR NO KEY UPDATE{of}',
  updateSkipLocked: ' FOR UPDATE{of} SKIP LOCKED',
  updateNoWait: ' FOR UPDATE{of} NOWAIT',
});

const ARRAY_OPERATORS = { contains: '@>', contained: '<@', overlaps: '&&' } as const;

/** SQL of PostgreSQL (https://www.postgresql.org/docs/current/sql-commands.html). */
export class PostgresCompiler extends SqlCompiler {
  protected override readonly looseBinder = encodeAny;
  protected override readonly ordersSpans = true;

  constructor() {
    super('PostgreSQL', postgresCodecs);
  }

  override quoteName(name: string): string {
    return `"${name.replaceAll('"', '""')}"`;
  }

  override placeholder(position: number): string {
    return `$${position}`;
  }

  override codecOf(column: ColumnInfo): KindCodec {
    return postgresCodec(column);
  }

  // The codec looks at the bits of whole numbers.
  protected override limitOf(column: ColumnInfo): ColumnLimit | undefined {
    return column.kind === 'int' ? undefined : columnLimit(column, characterCount);
  }

  // Many rows as one array per column: the server reads them faster than as many parameters
  // (https://www.postgresql.org/docs/current/functions-array.html, unnest).
  protected override source(insert: LogicalInsert, writer: SqlWriter): string {
    const { columns, arrays } = insert;
    if (arrays === undefined) return super.source(insert, writer);
    const lists = columns.map((column, at) => {
      const bind = checkedBinder(this.limitOf(column), columnBinder(column, this.codecOf(column)));
      const list = writer.boundValue(at, (values) => arrayText(values as readonly unknown[], bind));
      return `${list}::${arrays[at]}[]`;
    });
    return ` SELECT * FROM unnest(${lists.join(', ')})`;
  }

  // A row that an outer join may miss cannot be locked, so the others are named
  // (https://www.postgresql.org/docs/current/sql-select.html, "The Locking Clause").
  protected override lockClause(mode: LockMode, { model, joins, lockOf }: LogicalSelect): string {
    if (lockOf !== undefined)
      return LOCKS.sql(mode).replace('{of}', () => ` OF ${lockOf.map((name) => this.quoteName(name)).join(', ')}`);
    if (joins.some(({ kind }) => kind === 'right' || kind === 'full'))
      throw this.unsupported('a lock behind a right or full join', 'there may be no row of the model to lock');
    const sure = joins.filter(({ kind }) => kind !== 'left').map(({ alias }) => alias);
    const names = [...(nameParts(model.table) ?? []).slice(-1), ...sure].map((name) => this.quoteName(name)).join(', ');
    return LOCKS.sql(mode).replace('{of}', () => (sure.length < joins.length ? ` OF ${names}` : ''));
  }

  // There is no smallest boolean here, and no smallest UUID before version 18
  // (https://www.postgresql.org/docs/current/functions-aggregate.html).
  protected override aggregate(part: AggregatePart, scope: Scope): string {
    const { name, target } = part;
    const kind = target?.info?.kind;
    if (target === undefined || (name !== 'min' && name !== 'max')) return super.aggregate(part, scope);
    const column = this.column(target, scope);
    if (kind === 'boolean') return `${name === 'min' ? 'BOOL_AND' : 'BOOL_OR'}(${column})`;
    return kind === 'uuid' ? `${name.toUpperCase()}(${column}::text)::uuid` : super.aggregate(part, scope);
  }

  protected override least(value: string, kind: ColumnKind): string {
    if (kind === 'boolean') return `BOOL_AND(${value})`;
    return kind === 'uuid' ? `MIN((${value})::text)::uuid` : super.least(value, kind);
  }

  // A count and a sum of integers are integers, and so would be the parameter beside them; an average has more digits than a number.
  protected override comparedAggregate(part: AggregatePart, scope: Scope): string {
    const [aggregate, kind] = [this.aggregate(part, scope), part.target?.info?.kind];
    if (part.name === 'avg') return `${aggregate}::float8`;
    const isInteger = part.name === 'count' || (part.name === 'sum' && (kind === 'int' || kind === 'enum'));
    return isInteger ? `${aggregate}::numeric` : aggregate;
  }

  // For columns that are GENERATED ALWAYS; to others it says nothing (https://www.postgresql.org/docs/current/sql-insert.html).
  protected override keptKeys(): string {
    return ' OVERRIDING SYSTEM VALUE';
  }

  protected override jsonNullOrNull(column: string): string {
    return `CASE WHEN to_jsonb(${column}) = 'null' THEN ${column} END`;
  }

  protected override readonly functions = postgresFunctions;

  // Of texts, those of citext alone are the same in other letters (https://www.postgresql.org/docs/current/citext.html).
  protected override sameText(info: ColumnInfo, column: string, value: () => string): string {
    const plain = super.sameText(info, column, value);
    return /\bcitext\b/i.test(info.definition.sqlType ?? '')
      ? `(${plain} AND ${column}::text = ${value()}::text)`
      : plain;
  }

  // Of a type of its own, an enum is no text.
  protected override operandColumn(target: ColumnTarget, scope: Scope): string {
    const column = super.operandColumn(target, scope);
    const isNative = target.info?.kind === 'enum' && target.info.definition.enumAs === 'native';
    return isNative ? `${column}::text` : column;
  }

  protected override operandParameter(kind: ColumnKind, slot: Slot, writer: SqlWriter): string {
    const parameter = super.operandParameter(kind, slot, writer);
    const type = PARAMETER_TYPES[kind];
    return type === undefined ? parameter : `${parameter}::${type}`;
  }

  // https://www.postgresql.org/docs/current/sql-select.html, "DISTINCT Clause"
  protected override picked(select: LogicalSelect, scope: Scope, writer: SqlWriter): string {
    const { terms, order } = select.distinctOn as NonNullable<LogicalSelect['distinctOn']>;
    const first = order.slice(0, terms.length);
    // Two parameters are two expressions to it, though their values be equal.
    if (first.some(({ value }) => value && this.takesParameters(value))) return super.picked(select, scope, writer);
    const columns = first.map((term) => this.orderKey(term, scope, writer)).join(', ');
    const items = this.projection(select, scope, writer);
    return `SELECT DISTINCT ON (${columns}) ${items} FROM ${this.from(select, writer)}${this.tail({ ...select, orderBy: order }, scope, writer)}`;
  }

  // Of a value that stands for itself nothing says the type.
  protected override filledValue(slot: Slot, column: ColumnInfo, writer: SqlWriter): string {
    return `${super.filledValue(slot, column, writer)}::${postgresSchema.columnType(column)}`;
  }

  // https://www.postgresql.org/docs/current/queries-with.html, "Common Table Expression Materialization"
  protected override materializedWord(materialized: boolean | undefined): string {
    return materialized === undefined ? '' : materialized ? 'MATERIALIZED ' : 'NOT MATERIALIZED ';
  }

  // https://www.postgresql.org/docs/current/functions-array.html
  protected override arrayCondition(expr: LogicalExpr & { t: 'arrays' }, scope: Scope, writer: SqlWriter): string {
    const { op, target, other, slot } = expr;
    const [left, info] = [this.column(target, scope), target.info as ColumnInfo];
    if (op === 'has') {
      const bind = columnBinder(info, this.codecOf(info));
      const one = (value: unknown) => ((bind?.([value]) ?? [value]) as readonly unknown[])[0];
      return `${other ? this.column(other, scope) : writer.boundValue(slot as Slot, one)} = ANY(${left})`;
    }
    return `${left} ${ARRAY_OPERATORS[op]} ${other ? this.column(other, scope) : writer.columnValue(slot as Slot, info)}`;
  }

  // https://www.postgresql.org/docs/current/functions-aggregate.html, "Ordered-Set Aggregate Functions"
  protected override orderedSql({ name, fraction, operand }: LogicalOrdered, scope: Scope, writer: SqlWriter): string {
    const at = this.valueSql(fraction, scope, writer);
    const value = this.valueSql(operand, scope, writer);
    return name === 'percentileCont'
      ? `PERCENTILE_CONT(${at}) WITHIN GROUP (ORDER BY (${value})::float8)`
      : `PERCENTILE_DISC(${at}) WITHIN GROUP (ORDER BY ${value})`;
  }

  // Of jsonb the members would stand in another order (https://www.postgresql.org/docs/current/functions-aggregate.html).
  protected override jsonSql(value: LogicalJson, scope: Scope, writer: SqlWriter): string {
    const [name, empty] = value.name ? ['JSON_OBJECT_AGG', '{}'] : ['JSON_AGG', '[]'];
    return `COALESCE(${this.jsonBy(name, value, scope, writer)}, '${empty}'::json)`;
  }

  protected override pathParameter(slot: Slot, writer: SqlWriter): string {
    return `${writer.boundValue(slot, (steps) => arrayText((steps as readonly unknown[]).map(String), undefined))}::text[]`;
  }

  protected override caseless(left: string, right: string): string {
    return `${left} ILIKE ${right}`;
  }

  // DO UPDATE needs to know which key decides (https://www.postgresql.org/docs/current/sql-insert.html, conflict_target).
  protected override conflictClause(
    conflict: LogicalConflict,
    columns: readonly ColumnInfo[],
    writer: SqlWriter,
  ): string {
    if (conflict.target.length > 0 || !overwrites(conflict)) {
      return super.conflictClause(conflict, columns, writer);
    }
    const target = columns[0]?.model.primaryKey ?? [];
    if (target.length > 0 && target.every((key) => columns.includes(key))) {
      return super.conflictClause({ ...conflict, target }, columns, writer);
    }
    throw this.unsupported(
      'an upsert without a key',
      'ON CONFLICT DO UPDATE names the key that decides; give it with `conflict`',
    );
  }
}
