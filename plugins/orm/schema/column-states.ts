import { quotedText, type ColumnInfo, type ColumnState, type Dialect } from '../core/index.js';
import { counts, defaultName, defaultOf, typeOf } from './create-table.js';
import { defaultMeaning, sameDefault } from './default-text.js';
import type { ActualColumn } from './introspect.js';
import { isKeptEnum, isNativeEnum, keptEnumType, namedEnums, type EnumChange } from './native-enums.js';

/** A column that continues another, with what is said about both. */
export interface ColumnChange {
  readonly column: ColumnInfo;
  readonly actual: ActualColumn;
  readonly from: ColumnState;
  readonly to: ColumnState;
}

/** What is said about a column that is there. */
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

// With the name of its type it would hold on to a type that is about to go.
function defaultOfState(text: string | null, labels: readonly string[] | undefined): string | null {
  const meaning = defaultMeaning(text);
  if (meaning.is === 'none') return null;
  const isCast = labels !== undefined && meaning.is === 'literal' && /^'.*'::[^']+$/s.test(text ?? '');
  return isCast ? quotedText(meaning.text) : text;
}

/**
 * What the model wants to be said about a column that is there. What is the same in other words stays in the words of the
 * database, and what no model says stays, so that only what differs is changed.
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
    // A default of what the database fills is its own business.
    default: numbered && !actual.autoincrement ? null : isSame ? present.default : defaultOf(column, dialect),
    defaultName: defaultName(column),
    autoincrement: numbered,
  };
}

/** Whether a change is one. */
export function differs({ from, to }: Pick<ColumnChange, 'from' | 'to'>): boolean {
  return isRetyped({ from, to }) || from.default !== to.default || from.autoincrement !== to.autoincrement || from.check !== to.check; // prettier-ignore
}

/** Whether a column gets another type, or another null. */
export function isRetyped({ from, to }: Pick<ColumnChange, 'from' | 'to'>): boolean {
  return hasOtherType({ from, to }) || from.nullable !== to.nullable;
}

/** Whether a column gets another type; its order of texts is a part of that. */
export function hasOtherType({ from, to }: Pick<ColumnChange, 'from' | 'to'>): boolean {
  return from.type !== to.type || from.collation !== to.collation;
}

function sameFallback(column: ColumnInfo, present: ColumnState, dialect: Dialect): boolean {
  return sameDefault(defaultOf(column, dialect), present.default, column.kind);
}

/** Whether a column has the type that its model asks for, in whichever words. */
export function sameType(column: ColumnInfo, actual: Pick<ActualColumn, 'type'>, dialect: Dialect): boolean {
  const { normalizeType } = dialect.schema.introspection;
  const [wanted, present] = [typeOf(column, dialect).type, actual.type].map(unquoted) as [string, string];
  return normalizeType(wanted) === normalizeType(present) && quotedIn(wanted) === quotedIn(present);
}

// A name in quotes that would be the same without them.
const unquoted = (type: string): string => type.replace(/"([a-z_][a-z0-9_]*)"/g, '$1');

// Case counts in quotes: enum('A','b'), "Mood".
const quotedIn = (type: string): string => (type.match(/'(?:[^']|'')*'|"[^"]*"/g) ?? []).join();

// SQLite numbers every integer key, whatever was said (https://sqlite.org/lang_createtable.html#rowid).
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

// PostgreSQL and SQLite have a word for the order that a text has when nothing is said.
function orderOf(collation = ''): string {
  const name = collation.replace(/^"|"$/g, '').toLowerCase();
  return name === 'default' || name === 'binary' ? '' : name;
}
