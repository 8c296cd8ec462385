// MYSQL_TYPE_TIMESTAMP and MYSQL_TYPE_DATETIME (https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html).
const MOMENTS: ReadonlySet<number> = new Set([7, 12]);
/** Added to the number of decimals of a field, which the driver hands to the method that reads it: above all that a server knows. */
const AS_DATE = 64;

interface Field {
  readonly columnType: number;
  readonly decimals: number;
}

/** The part of a packet of `mysql2` that reads a moment of the binary protocol. */
interface Packet {
  offset: number;
  readInt8(): number;
  readInt16(): number;
  readInt32(): number;
  readDateTimeString(decimals: number, separator: string | null, type: number): string | Date;
}

/** The reader of rows that `mysql2` generates for the fields of a result. */
export type RowParserClass = new () => { next(packet: Packet, fields: unknown, options: unknown): unknown };

/**
 * Marks the fields that are to be read as a `Date`.
 *
 * @param places - their positions; those of other types are left as they are
 * @returns whether there are any
 */
export function markDates(fields: readonly Field[], places: readonly number[] = []): boolean {
  const marked = places.flatMap((place) => fields[place] ?? []).filter(({ columnType }) => MOMENTS.has(columnType));
  for (const field of marked) Object.assign(field, { decimals: field.decimals + AS_DATE } satisfies Partial<Field>);
  return marked.length > 0;
}

/**
 * Has a reader of rows make a `Date` of the marked fields. The driver writes moments as text while it is told to keep them exact
 * (`dateStrings`), which takes several times as long; its own dates hide a month or a day of zero, and what is finer than a millisecond.
 * Both stay texts here.
 */
export function readingDates(RowParser: RowParserClass): RowParserClass {
  const known = made.get(RowParser);
  if (known !== undefined) return known;
  const Reading = class extends RowParser {
    override next(packet: Packet, fields: unknown, options: unknown): unknown {
      packet.readDateTimeString = readMoment;
      return super.next(packet, fields, options);
    }
  };
  made.set(RowParser, Reading);
  return Reading;
}

// The driver keeps the readers that it has generated.
const made = new WeakMap<RowParserClass, RowParserClass>();

function readMoment(this: Packet, decimals: number, separator: string | null, type: number): string | Date {
  const asText = (Object.getPrototypeOf(this) as Packet).readDateTimeString;
  if (decimals < AS_DATE) return asText.call(this, decimals, separator, type);
  const { offset } = this;
  const date = dateOf(this);
  if (date !== undefined) return date;
  this.offset = offset;
  return asText.call(this, decimals - AS_DATE, separator, type);
}

/** Years below 100 are those of the 20th century to `Date.UTC` (ECMA-262, MakeFullYear). */
const FIRST_YEAR = 100;

// Zeros at the end are not sent (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html, Date and time).
function dateOf(packet: Packet): Date | undefined {
  const length = packet.readInt8();
  if (length < 4) return undefined;
  const year = packet.readInt16();
  const month = packet.readInt8();
  const day = packet.readInt8();
  const hours = length < 7 ? 0 : packet.readInt8();
  const minutes = length < 7 ? 0 : packet.readInt8();
  const seconds = length < 7 ? 0 : packet.readInt8();
  const micros = length < 11 ? 0 : packet.readInt32();
  if (year < FIRST_YEAR || month === 0 || day === 0 || micros % 1000 !== 0) return undefined;
  return new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, micros / 1000));
}
