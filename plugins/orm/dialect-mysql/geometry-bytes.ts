// MYSQL_TYPE_GEOMETRY (https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html).
const GEOMETRY = 255;

interface Field {
  readonly columnType: number;
}

interface CastField {
  readonly type: string;
  buffer(): Buffer | null;
}

// The part of a command of `mysql2` that makes the reader of its rows. A function that casts would be called for each value of each
// row, so that it is only there where a geometry is among them.
interface Command {
  options: object;
  buildParserFromFields(fields: readonly Field[], connection: unknown): unknown;
}

/**
 * Geometries as the bytes that the server keeps (https://dev.mysql.com/doc/refman/8.0/en/gis-data-formats.html), which it takes back:
 * the objects that the driver makes of them lose the spatial reference.
 *
 * @param given - a command of `mysql2` that has not been sent
 */
export function withGeometriesAsBytes(given: unknown): void {
  const command = given as Command;
  const build = command.buildParserFromFields.bind(command);
  command.buildParserFromFields = (fields, connection) => {
    if (fields.some(({ columnType }) => columnType === GEOMETRY))
      command.options = { ...command.options, typeCast: bytesOfGeometry };
    return build(fields, connection);
  };
}

const bytesOfGeometry = (field: CastField, next: () => unknown): unknown =>
  field.type === 'GEOMETRY' ? field.buffer() : next();
