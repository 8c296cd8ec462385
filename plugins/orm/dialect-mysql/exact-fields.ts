import { markDates, readingDates, type RowParserClass } from './read-dates.js';

// MYSQL_TYPE_GEOMETRY (https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html).
const GEOMETRY = 255;
// ENUM_FLAG and SET_FLAG (https://dev.mysql.com/doc/dev/mysql-server/latest/group__group__cs__column__definition__flags.html).
const LISTED = 0x100 | 0x800;
// The collations `binary` and `utf8mb4_general_ci`
// (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_character_set.html).
const BINARY = 63;
const UTF8MB4 = 45;

interface Field {
  readonly name: string;
  readonly columnType: number;
  readonly decimals: number;
  readonly flags: number;
  readonly characterSet: number;
  readonly encoding: string;
}

interface CastField {
  readonly type: string;
  buffer(): Buffer | null;
}

// The part of a command of `mysql2` that makes the reader of its rows. A function that casts would be called for each value of each
// row, so that it is only there where a geometry is among them.
interface Command {
  options: object;
  buildParserFromFields(fields: readonly Field[], connection: unknown): RowParserClass;
  [DATES]?: readonly number[] | undefined;
}

/** Positions of the columns of a command that become a `Date`. */
const DATES = Symbol('dates');

/**
 * Has the driver read some fields as what they are:
 * - geometries as the bytes that the server keeps (https://dev.mysql.com/doc/refman/8.0/en/gis-data-formats.html), which it takes back:
 *   the objects that the driver makes of them lose the spatial reference;
 * - enums and sets as texts, also in a table whose character set is `binary`;
 * - columns whose names every object has, such as `__proto__`: the driver refuses them, although its rows are lists here, without names;
 * - moments that become a `Date` without a text between.
 *
 * @param given - a command of `mysql2` that has not been sent
 * @param dates - positions of the columns that become a `Date`
 */
export function withExactFields(given: unknown, dates?: readonly number[]): void {
  const command = given as Command;
  command[DATES] = dates;
  // The same function for all commands: with a closure of each, rows outlive the collections that would have freed them.
  command.buildParserFromFields = exactParser;
}

function exactParser(this: Command, fields: readonly Field[], connection: unknown): RowParserClass {
  if (fields.some(({ columnType }) => columnType === GEOMETRY))
    this.options = { ...this.options, typeCast: bytesOfGeometry };
  for (const field of fields) {
    if (field.characterSet === BINARY && (field.flags & LISTED) !== 0)
      Object.assign(field, { characterSet: UTF8MB4, encoding: 'utf8' } satisfies Partial<Field>);
    if (field.name in {}) Object.assign(field, { name: '' } satisfies Partial<Field>);
  }
  const isReadingDates = markDates(fields, this[DATES]);
  const RowParser = (Object.getPrototypeOf(this) as Command).buildParserFromFields.call(this, fields, connection);
  return isReadingDates ? readingDates(RowParser) : RowParser;
}

const bytesOfGeometry = (field: CastField, next: () => unknown): unknown =>
  field.type === 'GEOMETRY' ? field.buffer() : next();
