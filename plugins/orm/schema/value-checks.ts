import {
  isNumeric,
  type ColumnInfo,
  type ColumnKind,
  type Dialect,
  type EnumValue,
  type ModelInfo,
} from '../core/index.js';
import { checkClause, constraintName, type WantedCheck } from './constraints.js';
import type { ActualCheck, ActualTable } from './introspect.js';
import { columnTypeOf, isNativeEnum } from './native-enums.js';
import { readValueCondition, type ValueCondition } from './value-conditions.js';

const TEXTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['enum', 'string', 'text']);
const NUMBERS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['enum', 'int', 'bigint', 'float', 'decimal']);

/** A check that a column has one of the values of its type. */
export interface WantedValueCheck extends WantedCheck {
  readonly column: ColumnInfo;
  readonly condition: ValueCondition;
}

/** Checks of the values that the types of a model's columns list. */
export function valueChecksOf(model: ModelInfo, dialect: Dialect): readonly WantedValueCheck[] {
  return model.columns.flatMap((column) => {
    if (!isHeldToValues(column, dialect)) return [];
    const condition = {
      column: column.name,
      values: [...new Set(column.definition.values)],
      ofElements: column.kind === 'array',
    };
    const sql = conditionText(condition, columnTypeOf(column, dialect), dialect);
    return [{ key: '', name: valueCheckName(model.table, column.name), sql, column, condition }];
  });
}

/** Name of a check of values: `orders_state_check`. */
const valueCheckName = (table: string, column: string): string => constraintName(table, [column, 'check']);

/** A condition on values as DDL writes it. @param type - of the column, for arrays */
function conditionText({ column, values, ofElements }: ValueCondition, type: string, dialect: Dialect): string {
  const { compiler, schema } = dialect;
  const [name, list] = [compiler.quote(column), values.map((value) => literal(value, dialect))];
  return ofElements ? (schema.elementsAmong?.(name, list, type) ?? '') : `${name} IN (${list.join(', ')})`;
}

/**
 * Statement that restores a check. A check of values does not validate the rows, because they may hold newer values.
 *
 * @param table - with the column names at that time
 */
export function addCheck({ name: table, columns }: ActualTable, check: ActualCheck, dialect: Dialect): string {
  const { compiler, schema } = dialect;
  const own = compiler.quote(table);
  const condition = readValueCondition(check.sql, schema.introspection);
  const column = columns.find(({ name }) => name === condition?.column);
  if (condition === undefined || column === undefined || schema.addUnchecked === undefined)
    return `ALTER TABLE ${own} ADD ${checkClause(check, dialect)}`;
  const clause = checkClause({ name: check.name, sql: conditionText(condition, column.type, dialect) }, dialect);
  return schema.addUnchecked(own, compiler.quote(check.name), clause).add;
}

/** Query for the rows that a check of values would refuse. */
export function rowsRefused({ column, sql }: WantedValueCheck, { compiler }: Dialect): string {
  return `SELECT * FROM ${compiler.quote(column.model.table)} WHERE NOT (${sql})`;
}

/** Query for the rows with one of the given values. */
export function rowsWith(column: ColumnInfo, values: readonly EnumValue[], dialect: Dialect): string {
  const { compiler, schema } = dialect;
  const [table, name] = [compiler.quote(column.model.table), compiler.quote(column.name)];
  const list = values.map((value) => literal(value, dialect));
  // Compared as texts, because the type may no longer have the value.
  const held = column.kind === 'array' ? schema.elementsHave?.(name, list, schema.columnType(column)) : undefined;
  return `SELECT * FROM ${table} WHERE ${held ?? `${name} IN (${list.join(', ')})`}`;
}

const literal = (value: EnumValue, { schema }: Dialect): string =>
  typeof value === 'number' ? String(value) : schema.text(value);

// A type given in the tag (`sql=`) may store the values in another form.
function isHeldToValues(column: ColumnInfo, dialect: Dialect): boolean {
  const { kind, generated, definition } = column;
  const { values = [], enumAs, sqlType, element = 'any' } = definition;
  if (values.length === 0 || enumAs === 'none' || isNativeEnum(column, dialect)) return false;
  const isOfArray = kind === 'array';
  if (isOfArray && dialect.schema.elementsAmong === undefined) return false;
  const fitting = values.every((value) =>
    (typeof value === 'number' ? NUMBERS : TEXTS).has(isOfArray ? element : kind),
  );
  if (!fitting || enumAs === 'check') return fitting;
  return !generated && (sqlType === undefined || isComparable(sqlType, values, dialect));
}

// Fractions differ between number types.
function isComparable(sqlType: string, values: readonly EnumValue[], { schema }: Dialect): boolean {
  const { introspection } = schema;
  const kind = introspection.kindOf(introspection.normalizeType(sqlType).replace(/\[\]$/, ''));
  if (kind === undefined || introspection.enumValues?.(sqlType)) return false;
  return isNumeric(values) ? NUMBERS.has(kind) && values.every((value) => Number.isInteger(value)) : TEXTS.has(kind);
}
