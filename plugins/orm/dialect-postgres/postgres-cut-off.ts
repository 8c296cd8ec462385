import type { SqlConnection } from '../dialect/index.js';
import { withoutComments } from './postgres-script.js';

const NAME = String.raw`"(?:[^"]|"")+"|[\w\u0080-\uffff$]+`;
const CREATE = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(${NAME})\s+on\s+(?:only\s+)?((?:(?:${NAME})\s*\.\s*)?(?:${NAME}))`,
  'i',
);
const DROP = new RegExp(
  String.raw`^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?((?:(?:${NAME})\s*\.\s*)?(?:${NAME}))\s*(?:cascade|restrict)?$`,
  'i',
);

const INDEX = `SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname), i.indisvalid::int FROM pg_index i
  JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE i.indrelid = to_regclass($1) AND quote_ident(c.relname) = quote_ident($2)`;

/**
 * What became of a statement on an index that was cut off, or failed. An index that is not valid is left by one that was made beside
 * the writers of its table (https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY): it goes, so
 * that the statement can run again.
 *
 * @returns undefined for a statement of which the catalogs do not tell
 */
export async function settleIndex(on: SqlConnection, sql: string): Promise<'done' | 'undone' | undefined> {
  const text = withoutComments(sql);
  const [, name, table] = CREATE.exec(text) ?? [];
  if (name !== undefined && table !== undefined) {
    const [found] = await on.query(INDEX, [table, plain(name)], { once: true });
    if (found === undefined) return 'undone';
    if (Number(found[1]) === 1) return 'done';
    await on.script(`DROP INDEX CONCURRENTLY IF EXISTS ${String(found[0])}`);
    return 'undone';
  }
  const [, dropped] = DROP.exec(text) ?? [];
  if (dropped === undefined) return undefined;
  const [there] = await on.query('SELECT to_regclass($1)::text', [dropped], { once: true });
  return there?.[0] === null ? 'done' : 'undone';
}

// What is not in quotes is kept in small letters (https://www.postgresql.org/docs/current/sql-syntax-lexical.html).
const plain = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toLowerCase();
