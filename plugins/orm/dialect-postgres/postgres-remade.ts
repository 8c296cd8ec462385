import type { RemadeTable, SqlConnection } from '../dialect/index.js';

const GIVEN = `given AS (SELECT g.value AS name, g.ord, to_regclass(g.value) AS oid
    FROM json_array_elements_text($1::json) WITH ORDINALITY AS g(value, ord))`;
// Types of columns, and what these are made of: elements, base types, members.
const USED = `used AS (SELECT a.atttypid AS oid FROM given g JOIN pg_attribute a ON a.attrelid = g.oid AND a.attnum > 0 AND NOT a.attisdropped
    UNION SELECT p.oid FROM used u JOIN pg_type t ON t.oid = u.oid CROSS JOIN LATERAL (
      SELECT t.typelem WHERE t.typcategory = 'A' UNION ALL SELECT t.typbasetype WHERE t.typtype = 'd'
      UNION ALL SELECT m.atttypid FROM pg_attribute m WHERE m.attrelid = t.typrelid AND m.attnum > 0 AND NOT m.attisdropped) p(oid))`;
const WITH = `WITH RECURSIVE ${GIVEN}, ${USED},
  own AS (SELECT t.* FROM used u JOIN pg_type t ON t.oid = u.oid WHERE t.typtype IN ('e', 'd', 'c') AND t.typnamespace <> 'pg_catalog'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_type'::regclass AND e.objid = t.oid AND e.deptype = 'e')),
  -- What tables, their defaults, constraints and indexes, and their types stand on, as far as it belongs to an extension.
  parts AS (SELECT 'pg_class'::regclass AS class, oid FROM given UNION ALL SELECT 'pg_class'::regclass, x.indexrelid FROM given g JOIN pg_index x ON x.indrelid = g.oid
    UNION ALL SELECT 'pg_attrdef'::regclass, d.oid FROM given g JOIN pg_attrdef d ON d.adrelid = g.oid
    UNION ALL SELECT 'pg_constraint'::regclass, o.oid FROM given g JOIN pg_constraint o ON o.conrelid = g.oid),
  needed AS (SELECT d.refclassid AS class, d.refobjid AS oid FROM parts p JOIN pg_depend d ON d.classid = p.class AND d.objid = p.oid
    UNION SELECT 'pg_type'::regclass, oid FROM used),
  extensions AS (SELECT DISTINCT x.oid, x.extname, x.extnamespace FROM needed n
    JOIN pg_depend e ON e.classid = n.class AND e.objid = n.oid AND e.deptype = 'e' JOIN pg_extension x ON x.oid = e.refobjid)`;

const SCHEMAS = `${WITH} SELECT format('CREATE SCHEMA IF NOT EXISTS %I', n.nspname) FROM pg_namespace n
  WHERE n.nspname NOT IN (current_schema(), 'pg_catalog', 'public') AND n.oid IN (SELECT c.relnamespace FROM given g JOIN pg_class c ON c.oid = g.oid
    UNION SELECT typnamespace FROM own UNION SELECT extnamespace FROM extensions) ORDER BY n.nspname`;
const EXTENSIONS = `${WITH} SELECT format('CREATE EXTENSION IF NOT EXISTS %I', x.extname)
    || CASE WHEN n.nspname IN (current_schema(), 'pg_catalog') THEN '' ELSE format(' SCHEMA %I', n.nspname) END
  FROM extensions x JOIN pg_namespace n ON n.oid = x.extnamespace ORDER BY x.oid`;
// In the order in which they were made, each behind what it is made of.
const TYPES = `${WITH} SELECT CASE t.typtype
    WHEN 'e' THEN format('CREATE TYPE %s AS ENUM (%s)', t.oid::regtype,
      (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
    WHEN 'c' THEN format('CREATE TYPE %s AS (%s)', t.oid::regtype, (SELECT string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
    ELSE format('CREATE DOMAIN %s AS %s', t.oid::regtype, format_type(t.typbasetype, t.typtypmod))
      || COALESCE((SELECT format(' COLLATE %s', l.oid::regcollation) FROM pg_collation l JOIN pg_type b ON b.oid = t.typbasetype
        WHERE l.oid = t.typcollation AND l.oid <> b.typcollation), '')
      || COALESCE(' DEFAULT ' || t.typdefault, '') || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
      || COALESCE((SELECT string_agg(format(' CONSTRAINT %I %s', o.conname, pg_get_constraintdef(o.oid)), '' ORDER BY o.conname)
        FROM pg_constraint o WHERE o.contypid = t.oid AND o.contype = 'c'), '') END
  FROM own t WHERE t.typtype <> 'c' OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c') ORDER BY t.oid`;
// Sequences from which defaults take their numbers, and that no column of these tables brings along.
const TAKEN = `WITH ${GIVEN}, taken AS (SELECT g.name, d.adrelid, d.adnum, pg_get_expr(d.adbin, d.adrelid) AS fallback, s.*
    FROM given g JOIN pg_attrdef d ON d.adrelid = g.oid JOIN pg_depend p ON p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid AND p.refclassid = 'pg_class'::regclass
      JOIN pg_sequence s ON s.seqrelid = p.refobjid
    WHERE NOT EXISTS (SELECT 1 FROM pg_depend o JOIN given x ON x.oid = o.refobjid
      WHERE o.classid = 'pg_class'::regclass AND o.objid = s.seqrelid AND o.refclassid = 'pg_class'::regclass AND o.deptype IN ('a', 'i')))`;
const SEQUENCES = `${TAKEN} SELECT DISTINCT format('CREATE SEQUENCE IF NOT EXISTS %s AS %s INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s CACHE %s%s',
  seqrelid::regclass, format_type(seqtypid, NULL), seqincrement, seqmin, seqmax, seqstart, seqcache, CASE WHEN seqcycle THEN ' CYCLE' ELSE '' END) FROM taken ORDER BY 1`;
// Their columns; as columns that count they would get sequences of their own.
const TAKERS = `${TAKEN} SELECT t.name, '"' || replace(a.attname, '"', '""') || '" ', format('%s DEFAULT %s%s', format_type(a.atttypid, a.atttypmod), t.fallback,
  CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END) FROM taken t JOIN pg_attribute a ON a.attrelid = t.adrelid AND a.attnum = t.adnum`;
// A partition has what its table says; what it has beside that follows.
const TABLES = `WITH ${GIVEN} SELECT g.name, CASE WHEN c.relpersistence = 'u' THEN 'UNLOGGED ' ELSE '' END,
    CASE WHEN c.relispartition THEN (SELECT i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = c.oid) END, pg_get_expr(c.relpartbound, c.oid),
    COALESCE((SELECT format(' INHERITS (%s)', string_agg(i.inhparent::regclass::text, ', ' ORDER BY i.inhseqno)) FROM pg_inherits i
      WHERE i.inhrelid = c.oid AND NOT c.relispartition HAVING count(*) > 0), '') || COALESCE(' PARTITION BY ' || pg_get_partkeydef(c.oid), '')
  FROM given g JOIN pg_class c ON c.oid = g.oid ORDER BY EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid), g.ord`;
const CONSTRAINTS = `WITH ${GIVEN} SELECT g.name, format('CONSTRAINT %I %s', o.conname, regexp_replace(pg_get_constraintdef(o.oid, true), ' NOT VALID$', ''))
  FROM given g JOIN pg_constraint o ON o.conrelid = g.oid WHERE o.contype IN ('p', 'u', 'x', 'c') AND o.coninhcount = 0 AND o.conparentid = 0
  ORDER BY g.ord, strpos('puxc', o.contype::text), o.conname`;
const INDEXES = `WITH ${GIVEN} SELECT pg_get_indexdef(x.indexrelid, 0, true) FROM given g JOIN pg_index x ON x.indrelid = g.oid
  WHERE x.indisvalid AND NOT EXISTS (SELECT 1 FROM pg_constraint o WHERE o.conindid = x.indexrelid AND o.conrelid = x.indrelid AND o.contype IN ('p', 'u', 'x'))
    AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = x.indexrelid) ORDER BY g.ord, x.indexrelid::regclass::text`;
// How a sequence of a column counts, where it does not do so by ones from one.
const COUNTING = `WITH ${GIVEN} SELECT format('ALTER TABLE %s ALTER COLUMN %I SET INCREMENT BY %s SET MINVALUE %s SET MAXVALUE %s SET START WITH %s SET CACHE %s SET %sCYCLE RESTART',
    g.name, a.attname, s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, CASE WHEN s.seqcycle THEN '' ELSE 'NO ' END)
  FROM given g JOIN pg_attribute a ON a.attrelid = g.oid AND a.attidentity <> '' JOIN pg_depend d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = g.oid
    AND d.refobjsubid = a.attnum AND d.classid = 'pg_class'::regclass AND d.deptype = 'i' JOIN pg_sequence s ON s.seqrelid = d.objid
  WHERE (s.seqincrement, s.seqstart, s.seqmin, s.seqcache, s.seqcycle) <> (1, 1, 1, 1, false) ORDER BY g.ord, a.attnum`;
const KEYS = `WITH ${GIVEN} SELECT CASE WHEN o.confrelid IN (SELECT oid FROM given) THEN '' ELSE '-- no model has the table that it refers to: ' END
    || format('ALTER TABLE %s ADD CONSTRAINT %I %s', g.name, o.conname, regexp_replace(pg_get_constraintdef(o.oid, true), ' NOT VALID$', ''))
  FROM given g JOIN pg_constraint o ON o.conrelid = g.oid WHERE o.contype = 'f' AND o.conparentid = 0 ORDER BY g.ord, o.conname`;
const COMMENTS = `WITH ${GIVEN} SELECT CASE WHEN d.objsubid = 0 THEN format('COMMENT ON TABLE %s IS %L', g.name, d.description)
    ELSE format('COMMENT ON COLUMN %s.%I IS %L', g.name, a.attname, d.description) END
  FROM given g JOIN pg_description d ON d.classoid = 'pg_class'::regclass AND d.objoid = g.oid
    LEFT JOIN pg_attribute a ON a.attrelid = g.oid AND a.attnum = d.objsubid AND d.objsubid > 0 ORDER BY g.ord, d.objsubid`;

/** Tables in the words of the catalogs (https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-INFO-CATALOG). */
export async function remadeTables(
  on: Pick<SqlConnection, 'query'>,
  tables: readonly RemadeTable[],
): Promise<readonly string[]> {
  const names = JSON.stringify(tables.map(({ quotedName }) => quotedName));
  const rowsOf = (sql: string) => on.query(sql, [names]);
  const statements = async (sql: string) => (await rowsOf(sql)).map(([statement]) => String(statement));
  const [constraints, takers] = [await rowsOf(CONSTRAINTS), await rowsOf(TAKERS)];
  const lineOf = (table: unknown, line: string) => {
    const taker = takers.find(([of, column]) => of === table && line.startsWith(String(column)));
    return taker === undefined ? line : `${String(taker[1])}${String(taker[2])}`;
  };
  const made = (await rowsOf(TABLES)).map(([name, unlogged, parent, bound, options]) => {
    const columns = tables.find(({ quotedName }) => quotedName === name)?.columns ?? [];
    const further = constraints.filter(([table]) => table === name).map(([, clause]) => String(clause));
    const lines = [...(parent === null ? columns.map((line) => lineOf(name, line)) : []), ...further].map(
      (line) => `  ${line}`,
    );
    const list = lines.length === 0 ? '' : ` (\n${lines.join(',\n')}\n)`;
    const said = parent === null ? list || ' ()' : ` PARTITION OF ${String(parent)}${list} ${String(bound)}`;
    return `CREATE ${String(unlogged)}TABLE ${String(name)}${said}${String(options)}`;
  });
  return [
    ...(await statements(SCHEMAS)),
    ...(await statements(EXTENSIONS)),
    ...(await statements(TYPES)),
    ...(await statements(SEQUENCES)),
    ...made,
    ...(await statements(COUNTING)),
    ...(await statements(INDEXES)),
    ...(await statements(KEYS)),
    ...(await statements(COMMENTS)),
  ];
}
