import { quotedText, type ColumnInfo, type ColumnState, type Dialect } from '../core/index.js';
import { counts, defaultName, defaultOf, typeOf } from './create-table.js';
import { defaultMeaning, sameDefault } from './default-text.js';
import type { ActualColumn } from './introspect.js';
import { isKeptEnum, isNativeEnum, keptEnumType, namedEnums, type EnumChange } from './native-enums.js';

/** A column before and after a change. */
export interface ColumnChange {
  readonly column: ColumnInfo;
  readonly actual: ActualColumn;
  readonly from: ColumnState;
  readonly to: ColumnState;
}

/** State of an existing column. */
export function stateOf({ default: fallback, ...actual }: ActualColumn): ColumnState {
  const { type, nullable, defaultName: name, autoincrement, collation, expression, check, attributes, labels } = actual;
  return {
    type,
    nullable,
    default: defaultOfState(fallback, labels),
    defaultName: name,
    autoincrement,
    collation,
    expression,
    check,
    attributes,
    ...(labels && { isEnum: true }),
  };
}

// Without the cast: a default with the name of the type would depend on a type that is about to be dropped.
function defaultOfState(text: string | null, labels: readonly string[] | undefined): string | null {
  const meaning = defaultMeaning(text, {});
  if (meaning.is === 'none') return null;
  const isCast = labels !== undefined && meaning.is === 'literal' && /^'.*'::[^']+$/s.test(text ?? '');
  return isCast ? quotedText(meaning.text) : text;
}

/**
 * The state that the model asks for an existing column. Equal parts keep the spelling of the database, and parts that no model declares
 * stay as they are, so that only differences are changed.
 *
 * @param change - of the enum that is its type
 */
export function wantedState(
  column: ColumnInfo,
  actual: ActualColumn,
  dialect: Dialect,
  change?: EnumChange,
): ColumnState {
  const { isEnum: _isEnum, ...present } = stateOf(actual);
  const { type: wanted, collation } = typeOf(column, dialect);
  const isEnum = isNativeEnum(column, dialect);
  const isSameType = sameType(column, actual, dialect) && hasCharset(wanted, actual);
  const type = isKeptEnum(column, actual, dialect)
    ? keptEnumType(actual, change, dialect)
    : isSameType
      ? actual.type
      : wanted;
  const numbered = isNumbered(column, actual, dialect);
  const isOtherEnum = isEnum && !isKeptEnum(column, actual, dialect);
  const isSame =
    (column.generated && !isOtherEnum) ||
    (column.autoincrement && actual.autoincrement) ||
    (!isOtherEnum && sameFallback(column, present, dialect));
  return {
    ...present,
    type,
    collation: isEnum && namedEnums(dialect) ? undefined : wantedCollation(type, collation, actual),
    ...(isEnum && { isEnum }),
    nullable: !column.model.primaryKey.includes(column) && column.nullable,
    // The database sets the default of a numbered column itself.
    default: numbered && !actual.autoincrement ? null : isSame ? present.default : defaultOf(column, dialect),
    defaultName: defaultName(column),
    autoincrement: numbered,
  };
}

/** Whether the states before and after differ. */
export function differs({ from, to }: Pick<ColumnChange, 'from' | 'to'>): boolean {
  return isRetyped({ from, to }) || from.default !== to.default || from.autoincrement !== to.autoincrement || from.check !== to.check; // prettier-ignore
}

/** Whether the type or the nullability of a column changes. */
export function isRetyped({ from, to }: Pick<ColumnChange, 'from' | 'to'>): boolean {
  return hasOtherType({ from, to }) || from.nullable !== to.nullable;
}

/** Whether the type of a column changes; the collation is part of the type. */
export function hasOtherType({ from, to }: Pick<ColumnChange, 'from' | 'to'>): boolean {
  return from.type !== to.type || from.collation !== to.collation;
}

function sameFallback(column: ColumnInfo, present: ColumnState, dialect: Dialect): boolean {
  return sameDefault(defaultOf(column, dialect), present.default, column.kind, dialect.schema.introspection);
}

/** Whether a column has the type that its model asks for, in any spelling. */
export function sameType(column: ColumnInfo, actual: Pick<ActualColumn, 'type'>, dialect: Dialect): boolean {
  const { normalizeType } = dialect.schema.introspection;
  const [wanted, present] = [typeOf(column, dialect).type, actual.type].map(unquoted) as [string, string];
  return normalizeType(wanted) === normalizeType(present) && quotedIn(wanted) === quotedIn(present);
}

// A name in quotes that would be the same without them.
const unquoted = (type: string): string => type.replace(/"([a-z_][a-z0-9_]*)"/g, '$1');

// Case counts in quotes: enum('A','b'), "Mood".
const quotedIn = (type: string): string => (type.match(/'(?:[^']|'')*'|"[^"]*"/g) ?? []).join();

// If the database numbers only keys, a key may be numbered with or without a declaration (https://sqlite.org/lang_createtable.html#rowid).
function isNumbered(column: ColumnInfo, actual: ActualColumn, dialect: Dialect): boolean {
  if (column.autoincrement) return counts(column, dialect) || actual.autoincrement;
  return actual.autoincrement && dialect.schema.numbers === 'key';
}

// The name of a collation begins with that of its character set
// (https://dev.mysql.com/doc/refman/8.0/en/charset-collation-names.html).
function hasCharset(type: string, { collation = '' }: Pick<ActualColumn, 'collation'>): boolean {
  const charset = /\b(?:character set|charset)\s+(\w+)/i.exec(type)?.[1];
  return charset === undefined || collation.startsWith(`${charset.toLowerCase()}_`);
}

function wantedCollation(
  type: string,
  wanted: string | undefined,
  { collation }: Pick<ActualColumn, 'collation'>,
): string | undefined {
  if (!/char|text|clob|enum|set\b|string/i.test(type) || (wanted === undefined && !hasCharset(type, { collation })))
    return wanted;
  return wanted === undefined || orderOf(wanted) === orderOf(collation) ? collation : wanted;
}

// A database may have a name for the default collation.
function orderOf(collation = ''): string {
  const name = collation.replace(/^"|"$/g, '').toLowerCase();
  return name === 'default' || name === 'binary' ? '' : name;
}
