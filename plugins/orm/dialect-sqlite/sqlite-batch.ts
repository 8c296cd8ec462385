import type { BatchForm, SqlConnection } from '../dialect/index.js';

/** Rows per statement where each statement keeps copies of the pages that it changes. */
const MANY = 1000;

// What FAIL would take the place of: it goes before what the table says, and before what its triggers say.
const OBJECTS = `SELECT type = 'trigger' OR sql LIKE '%on conflict%' FROM
  (SELECT type, tbl_name, sql FROM sqlite_schema UNION ALL SELECT type, tbl_name, sql FROM sqlite_temp_schema)
  WHERE tbl_name = ? COLLATE NOCASE`;

/**
 * A statement of several rows copies each page before a change, in case a later row is refused; with `OR FAIL` it does not, and takes two
 * thirds of the time (https://sqlite.org/lang_conflict.html). Rows before a refused one stay then, which does not matter inside the
 * transaction of a batch.
 */
export async function batchForm(on: SqlConnection, table: string): Promise<BatchForm> {
  const objects = await on.query(OBJECTS, [table]);
  // None: a table of another database file, whose schema stands elsewhere.
  const isPlain = objects.length > 0 && objects.every(([hasOwnWay]) => Number(hasOwnWay) !== 1);
  return isPlain ? { partial: true } : { rows: MANY };
}
