import {
  isTaken,
  kindsOf,
  type ColumnKind,
  type HeldTimes,
  type Introspection,
  type SqlConnection,
  type TimePlace,
} from '../dialect/index.js';
import { postgresCells } from './postgres-cells.js';
import { postgresNativeTypes } from './postgres-native-types.js';
import { remadeTables } from './postgres-remade.js';

const KINDS = kindsOf(postgresNativeTypes);

// https://www.postgresql.org/docs/current/datatype.html, table 8.1
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    int2: 'smallint',
    int: 'integer',
    int4: 'integer',
    int8: 'bigint',
    float4: 'real',
    float: 'double precision',
    float8: 'double precision',
    decimal: 'numeric',
    bool: 'boolean',
    varchar: 'character varying',
    char: 'character',
    varbit: 'bit varying',
    timestamp: 'timestamp without time zone',
    timestamptz: 'timestamp with time zone',
    time: 'time without time zone',
    timetz: 'time with time zone',
  }),
);
// What a type without it means.
const MODIFIERS: ReadonlyMap<string, string> = new Map(Object.entries({ character: '(1)', bit: '(1)' }));
// Name, length or precision, zone, brackets of an array: timestamp(3) with time zone[].
const TYPE = /^([a-z][\w ]*?)\s*(\([^()]*\))?(\s+with(?:out)? time zone)?((?:\s*\[\d*\])*)$/;

const action = (code: string): string =>
  `CASE ${code} WHEN 'r' THEN 'restrict' WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' WHEN 'd' THEN 'set default' ELSE 'no action' END`;

// What a domain is made of, however many stand upon each other; of an array, what the domain of its elements is.
const MADE_OF = `WITH RECURSIVE made AS (
      SELECT t.oid, t.typelem, t.typtype, t.typbasetype FROM pg_type t WHERE t.oid = CASE WHEN l.typtype = 'd' THEN l.oid ELSE y.oid END
      UNION ALL SELECT t.oid, t.typelem, t.typtype, t.typbasetype FROM made JOIN pg_type t ON t.oid = made.typbasetype WHERE made.typtype = 'd')
    SELECT oid, typelem FROM made WHERE typtype <> 'd'`;

// A column or an expression, and what is said of it; both kinds of order put nulls where the other does not
// (https://www.postgresql.org/docs/current/indexes-ordering.html).
const INDEX_PART = `pg_get_indexdef(x.indexrelid, k.ord::int, false)
      || COALESCE((SELECT ' COLLATE ' || quote_ident(l.collname) FROM pg_collation l WHERE l.oid = x.indcollation[k.ord - 1]
        AND l.oid <> COALESCE(a.attcollation, (SELECT y.typcollation FROM pg_type y WHERE y.oid = h.atttypid))), '')
      || COALESCE((SELECT ' ' || quote_ident(o.opcname) FROM pg_opclass o WHERE o.oid = x.indclass[k.ord - 1] AND NOT o.opcdefault), '')
      || CASE x.indoption[k.ord - 1] WHEN 0 THEN '' WHEN 1 THEN ' DESC NULLS LAST' WHEN 2 THEN ' NULLS FIRST' ELSE ' DESC' END`;

// What stands behind the columns (https://www.postgresql.org/docs/current/sql-createtable.html, INCLUDE and DEFERRABLE).
const KEY_CLAUSES = `NULLIF(ltrim(substr(pg_get_constraintdef(o.oid), length('PRIMARY KEY (' || (SELECT string_agg(quote_ident(b.attname), ', ' ORDER BY k.ord)
      FROM unnest(o.conkey) WITH ORDINALITY AS k(num, ord) JOIN pg_attribute b ON b.attrelid = o.conrelid AND b.attnum = k.num)) + 2)), '')`;

const IN_SCHEMA = 'n.nspname = COALESCE($1::text, current_schema()::text)';

/** Reads the schema of PostgreSQL from its catalogs (https://www.postgresql.org/docs/current/catalogs.html). */
export const postgresIntrospection: Introspection = {
  columns: `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 0 ELSE 1 END,
    CASE WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
    CASE WHEN a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%' THEN 1 ELSE 0 END,
    COALESCE((SELECT k.ord FROM pg_index p, unnest(p.indkey) WITH ORDINALITY AS k(num, ord)
      WHERE p.indrelid = c.oid AND p.indisprimary AND k.num = a.attnum AND k.ord <= p.indnkeyatts), 0),
    NULL, CASE WHEN a.attgenerated = '' THEN 0 ELSE 1 END,
    (SELECT o.conname FROM pg_constraint o WHERE o.conrelid = c.oid AND o.contype = 'p'),
    CASE WHEN a.attcollation <> y.typcollation THEN (SELECT quote_ident(l.collname) FROM pg_collation l WHERE l.oid = a.attcollation) END,
    CASE a.attgenerated WHEN '' THEN NULL ELSE 'GENERATED ALWAYS AS (' || pg_get_expr(d.adbin, d.adrelid)
      || CASE a.attgenerated WHEN 's' THEN ') STORED' ELSE ') VIRTUAL' END END,
    CASE WHEN a.attidentity = 'a' THEN 'ALWAYS' END,
    (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder)::text FROM pg_enum e WHERE e.enumtypid IN (m.oid, m.typelem)),
    CASE WHEN y.typtype = 'd' OR l.typtype = 'd' THEN format_type(m.oid, NULL) || CASE WHEN l.typtype = 'd' THEN '[]' ELSE '' END END,
    a.attndims, (SELECT ${KEY_CLAUSES} FROM pg_constraint o WHERE o.conrelid = c.oid AND o.contype = 'p')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_type l ON l.oid = y.typelem AND y.typcategory = 'A'
    CROSS JOIN LATERAL (${MADE_OF}) m
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p', 'v', 'm') AND ${IN_SCHEMA} ORDER BY c.relname, a.attnum`,
  views: `SELECT c.relname, pg_get_viewdef(c.oid), CASE c.relkind WHEN 'm' THEN 1 ELSE 0 END, NULL,
      (SELECT format(' WITH (%s)', string_agg(format('%I = %L', o.option_name, o.option_value), ', ')) FROM pg_options_to_table(c.reloptions) o
        HAVING count(*) > 0), NULL,
      (SELECT json_agg(format('GRANT %s%s ON %s TO %s%s', g.privilege_type, g.columns, c.oid::regclass,
          CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END, CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END))::text
        FROM (SELECT x.*, '' AS columns FROM aclexplode(c.relacl) x
          UNION ALL SELECT x.*, format(' (%I)', a.attname) FROM pg_attribute a CROSS JOIN LATERAL aclexplode(a.attacl) x WHERE a.attrelid = c.oid AND NOT a.attisdropped) g
        WHERE g.grantee <> c.relowner)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('v', 'm') AND ${IN_SCHEMA} ORDER BY c.relname`,
  comments: `SELECT c.relname, a.attname, d.description FROM pg_description d JOIN pg_class c ON c.oid = d.objoid
    JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = NULLIF(d.objsubid, 0)
    WHERE d.classoid = 'pg_class'::regclass AND c.relkind IN ('r', 'p', 'v', 'm') AND ${IN_SCHEMA} ORDER BY c.relname, d.objsubid`,
  // Conditions and columns of a trigger follow a rename, as does a body that was parsed when it was written (BEGIN ATOMIC); a text does not
  // (https://www.postgresql.org/docs/current/catalog-pg-proc.html, prosrc and prosqlbody).
  programs: `SELECT t.relname, 'trigger', g.tgname, x.said, x.follows
      FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_proc p ON p.oid = g.tgfoid
      CROSS JOIN LATERAL (VALUES (pg_get_triggerdef(g.oid), 1), (p.prosrc, 0)) AS x(said, follows)
      WHERE NOT g.tgisinternal AND ${IN_SCHEMA}
    UNION ALL SELECT NULL, CASE p.prokind WHEN 'p' THEN 'procedure' ELSE 'function' END, p.proname,
      CASE WHEN p.prosrc = '' THEN pg_get_functiondef(p.oid) ELSE p.prosrc END, CASE WHEN p.prosrc = '' THEN 1 ELSE 0 END
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
      WHERE p.prokind IN ('f', 'p') AND l.lanname NOT IN ('c', 'internal') AND p.prorettype <> 'trigger'::regtype
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e') AND ${IN_SCHEMA}
    ORDER BY 3, 1`,
  indexes: `SELECT t.relname, i.relname, CASE WHEN x.indisunique THEN 1 ELSE 0 END, a.attname,
    CASE WHEN x.indpred IS NULL AND x.indexprs IS NULL AND m.amname = 'btree' AND x.indnatts = x.indnkeyatts AND x.indimmediate
      AND x.indisvalid AND NOT x.indisexclusion AND x.indoption[k.ord - 1] = 0 AND x.indcollation[k.ord - 1] = a.attcollation
      AND NOT COALESCE((to_jsonb(x) ->> 'indnullsnotdistinct')::boolean, false)
      AND (SELECT o.opcdefault FROM pg_opclass o WHERE o.oid = x.indclass[k.ord - 1]) THEN 1 ELSE 0 END,
    CASE WHEN EXISTS (SELECT 1 FROM pg_constraint u WHERE u.conindid = i.oid AND u.conrelid = t.oid AND u.contype = 'u') THEN 1 ELSE 0 END,
    CASE WHEN x.indimmediate AND NOT x.indisexclusion AND i.reloptions IS NULL THEN ${INDEX_PART} END,
    pg_get_expr(x.indpred, x.indrelid), NULLIF(m.amname, 'btree'), CASE WHEN x.indisvalid THEN 0 ELSE 1 END,
    (SELECT json_agg(f.attname ORDER BY b.ord)::text FROM unnest(x.indkey) WITH ORDINALITY AS b(num, ord)
      JOIN pg_attribute f ON f.attrelid = t.oid AND f.attnum = b.num WHERE b.ord > x.indnkeyatts),
    COALESCE((to_jsonb(x) ->> 'indnullsnotdistinct')::boolean, false)::int
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_am m ON m.oid = i.relam
    JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k(num, ord) ON k.ord <= x.indnkeyatts
    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.num
    LEFT JOIN pg_attribute h ON h.attrelid = i.oid AND h.attnum = k.ord
    WHERE NOT x.indisprimary AND ${IN_SCHEMA} ORDER BY t.relname, i.relname, k.ord`,
  foreignKeys: `SELECT t.relname, o.conname, a.attname,
    CASE WHEN e.nspname = current_schema() THEN '' ELSE e.nspname || '.' END || r.relname, b.attname, ${action('o.confdeltype')}, ${action('o.confupdtype')},
    CASE WHEN o.condeferrable THEN 'DEFERRABLE' || CASE WHEN o.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END END,
    CASE o.confmatchtype WHEN 'f' THEN 'FULL' END,
    (SELECT json_agg(s.attname)::text FROM jsonb_array_elements_text(NULLIF(to_jsonb(o)->'confdelsetcols', 'null')) AS d(at)
      JOIN pg_attribute s ON s.attrelid = o.conrelid AND s.attnum = d.at::int)
    FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid JOIN pg_class r ON r.oid = o.confrelid
    JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_namespace e ON e.oid = r.relnamespace
    CROSS JOIN LATERAL unnest(o.conkey, o.confkey) WITH ORDINALITY AS k(own, other, ord)
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.own
    JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.other
    WHERE o.contype = 'f' AND ${IN_SCHEMA} ORDER BY t.relname, o.conname, k.ord`,
  checks: `SELECT t.relname, o.conname, pg_get_expr(o.conbin, o.conrelid)
    FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
    WHERE o.contype = 'c' AND ${IN_SCHEMA} ORDER BY t.relname, o.conname`,
  // As it was kept once.
  momentWords: { today: /^\('now'::text\)::date$/i },
  currentSchema: 'SELECT current_schema()',
  async shownExpression(on, table, { type, expression }) {
    // https://www.postgresql.org/docs/current/sql-createtable.html (LIKE, ON COMMIT)
    await on.script(`CREATE TEMPORARY TABLE fw_said (LIKE ${table}) ON COMMIT DROP`);
    const add = `ALTER TABLE pg_temp.fw_said ADD COLUMN fw_said ${type} GENERATED ALWAYS AS (${expression}\n) STORED`;
    if (!(await isTaken(on, add))) return undefined;
    const [row] = await on.query(SAID, []);
    return row?.[0] as string | undefined;
  },
  async shownQuery(on, query) {
    if (!(await isTaken(on, `CREATE TEMPORARY VIEW fw_said AS ${query}`))) return undefined;
    const [row] = await on.query(`SELECT pg_get_viewdef('pg_temp.fw_said'::regclass)`, []);
    return row?.[0] as string | undefined;
  },
  normalizeType(type) {
    const text = type.trim().toLowerCase();
    const [, name, modifier = '', zone = '', array = ''] = TYPE.exec(text) ?? [];
    if (name === undefined) return text;
    const whole = `${name}${zone}`.replace(/\s+/g, ' ');
    const bare = ALIASES.get(whole) ?? whole;
    const digits = modifier.replaceAll(' ', '') || (MODIFIERS.get(bare) ?? '');
    // The server looks at no bound and no number of dimensions (https://www.postgresql.org/docs/current/arrays.html).
    return `${bare}${bare === 'numeric' ? digits.replace(/^\((\d+)\)$/, '($1,0)') : digits}${array && '[]'}`;
  },
  remade: remadeTables,
  nativeTypes: postgresNativeTypes,
  kindOf,
  heldTimes,
  cells: postgresCells,
};

const SAID = `SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE d.adrelid = 'pg_temp.fw_said'::regclass AND a.attname = 'fw_said'`;

// https://www.postgresql.org/docs/current/datatype-datetime.html: infinity, and years that no Date has, which end at 275760-09-13
async function heldTimes(
  on: Pick<SqlConnection, 'query'>,
  { quotedTable, quotedColumn, isArray, default: fallback }: TimePlace,
): Promise<HeldTimes> {
  if (/^'\{?.*infinity/.test(fallback ?? '')) return { isText: true };
  const rows = isArray ? `${quotedTable} CROSS JOIN LATERAL unnest(${quotedColumn}) AS u(at)` : quotedTable;
  const at = isArray ? 'u.at' : quotedColumn;
  const none = `${at} = '-infinity' OR ${at} > '275760-09-13 00:00:00+00'`;
  const [row] = await on.query(`SELECT 1 WHERE EXISTS (SELECT 1 FROM ${rows} WHERE ${none})`, []);
  return row === undefined ? {} : { isText: true };
}

function kindOf(type: string): ColumnKind | undefined {
  const bare = type.replace(/\(.*?\)/, '');
  if (!bare.endsWith('[]')) return KINDS.get(bare);
  // Its elements stand apart by a semicolon (https://www.postgresql.org/docs/current/catalog-pg-type.html, typdelim).
  return bare === 'box[]' ? 'string' : 'array';
}
