/**
 * A list with a record in front that has just come over the live connection.
 *
 * @param limit - records that are kept at most
 * @returns the list itself when it has the record already, from an answer that came in between
 */
export function withNewest<Row extends object>(rows: readonly Row[], record: Row, limit: number): readonly Row[] {
  const id = idOf(record);
  const isKnown = id !== undefined && rows.some((row) => idOf(row) === id);
  return isKnown ? rows : [record, ...rows].slice(0, limit);
}

function idOf(record: object): unknown {
  return 'id' in record ? record.id : undefined;
}
