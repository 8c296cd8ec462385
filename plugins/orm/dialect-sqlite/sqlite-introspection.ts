import type { Introspection } from '../dialect/index.js';
import { checksOfDefinition, indexOfDefinition, keptOfDefinition, queryOfDefinition } from './sqlite-definition.js';
import { heldTimes } from './held-times.js';
import { heldTruths } from './held-truths.js';
import { sqliteCells } from './sqlite-cells.js';
import { sqliteNativeTypes } from './sqlite-native-types.js';
import { SQLITE_TYPES, kindOfType } from './sqlite-types.js';

// Without those in which a virtual table keeps its content (https://sqlite.org/vtab.html#the_xshadowname_method).
const TABLES = `sqlite_master m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
    AND NOT EXISTS (SELECT 1 FROM pragma_table_list(m.name) l WHERE l.type = 'shadow')`;

/** Reads the schema of SQLite through its table-valued pragmas (https://sqlite.org/pragma.html#pragfunc). */
export const sqliteIntrospection: Introspection = {
  columns: `SELECT t.name, c.name, c.type, CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN 0 ELSE 1 END, c.dflt_value,
    CASE WHEN c.pk = 1 AND upper(c.type) = 'INTEGER' AND (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0) = 1
      AND NOT EXISTS (SELECT 1 FROM pragma_table_list(t.name) w WHERE w.wr = 1) THEN 1 ELSE 0 END, c.pk,
    NULL, CASE WHEN c.hidden > 1 THEN 1 ELSE 0 END
    FROM (SELECT m.name FROM ${TABLES}) t JOIN pragma_table_xinfo(t.name) c WHERE c.hidden <> 1 ORDER BY t.name, c.cid`,
  // One that is out of order, as when its table is gone, would fail the query of all.
  columnsOfView: `SELECT v.name, c.name, c.type, 1, NULL, 0, 0, NULL, 0 FROM (SELECT ? AS name) v JOIN pragma_table_xinfo(v.name) c ORDER BY c.cid`,
  views: `SELECT m.name, m.sql, 0 FROM sqlite_master m WHERE m.type = 'view' ORDER BY m.name`,
  viewIn: queryOfDefinition,
  indexes: `SELECT t.name, l.name, l."unique", i.name,
      CASE WHEN l.partial = 1 OR EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name) x WHERE x.key = 1 AND (x."desc" = 1 OR x.cid < 0))
        OR EXISTS (SELECT 1 FROM sqlite_master s WHERE s.type = 'index' AND s.name = l.name AND s.sql LIKE '%collate%') THEN 0 ELSE 1 END,
      CASE WHEN l.origin = 'u' THEN 1 ELSE 0 END
    FROM (SELECT m.name FROM ${TABLES}) t JOIN pragma_index_list(t.name) l JOIN pragma_index_info(l.name) i
    WHERE l.origin <> 'pk' ORDER BY t.name, l.name, i.seqno`,
  foreignKeys: `SELECT t.name, 'fk_' || f.id, f."from", f."table", coalesce(f."to",
      (SELECT p.name FROM pragma_table_info(f."table") p WHERE p.pk = f.seq + 1)), lower(f.on_delete), lower(f.on_update)
    FROM (SELECT m.name FROM ${TABLES}) t JOIN pragma_foreign_key_list(t.name) f ORDER BY t.name, f.id, f.seq`,
  definitions: `SELECT m.tbl_name, m.type, m.name, m.sql FROM sqlite_master m
    WHERE m.sql IS NOT NULL AND m.type IN ('table', 'index', 'trigger') ORDER BY m.tbl_name, m.type <> 'table', m.name`,
  // https://sqlite.org/lang_altertable.html: a rename goes into them.
  programs: `SELECT m.tbl_name, 'trigger', m.name, m.sql, 1 FROM sqlite_master m WHERE m.type = 'trigger' ORDER BY m.name`,
  // https://sqlite.org/schematab.html: everything else follows from these texts.
  whole: 'SELECT m.type, m.name, m.tbl_name, m.sql FROM sqlite_master m ORDER BY m.type, m.name',
  checksIn: checksOfDefinition,
  indexIn: indexOfDefinition,
  keptIn: keptOfDefinition,
  // https://sqlite.org/fileformat2.html#intschema
  namelessIndexes: /^sqlite_autoindex_/,
  momentWords: {
    now: /^(?:(?:cast\()?strftime\('[^']+', ?'now'\)(?: as integer\))?|(?:date|datetime|julianday|unixepoch)\('now'\)|(?:julianday|unixepoch)\(\))$/i,
  },
  normalizeType: storedAs,
  nativeTypes: sqliteNativeTypes,
  // A column of a type that says nothing, or of none, holds whatever it is given (https://sqlite.org/datatype3.html).
  kindOf: (type) => kindOfType(type) ?? 'any',
  heldTimes,
  timesByValue: true,
  heldTruths,
  cells: sqliteCells,
};

// SQLite does not enforce declared types: types with the same storage are equal.
function storedAs(type: string): string {
  const kind = kindOfType(type);
  if (type === '') return SQLITE_TYPES.any;
  return kind === undefined ? type.trim().toUpperCase().replace(/\s+/g, ' ') : SQLITE_TYPES[kind];
}
