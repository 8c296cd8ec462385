import {
  SqlCompiler,
  type Bound,
  type LogicalConflict,
  type LogicalInsert,
  type ColumnInfo,
  type SqlWriter,
} from '../core/index.js';
import { encodeAny, sqliteCodecs } from './sqlite-codecs.js';

/** SQL of SQLite (https://sqlite.org/lang.html). */
export class SqliteCompiler extends SqlCompiler {
  protected override readonly looseBinder = encodeAny;

  constructor() {
    super('SQLite', sqliteCodecs);
  }

  override quoteName(name: string): string {
    return `"${name}"`;
  }

  override placeholder(): string {
    return '?';
  }

  // A no-op: one writer at a time, and it holds the whole database (https://sqlite.org/lockingv3.html).
  protected override lockClause(): string {
    return '';
  }

  // A bare `LIMIT ?` makes SQLite prepare the statement anew on every execution; an expression does not.
  protected override bound(bound: Bound, writer: SqlWriter): string {
    const text = super.bound(bound, writer);
    return 'literal' in bound ? text : `${text}+0`;
  }

  // OFFSET needs a LIMIT; a negative one means none (https://sqlite.org/lang_select.html#limitoffset).
  protected override limitlessOffset(): string {
    return ' LIMIT -1';
  }

  // SPEC "ORM values", dialects: without a named key SQLite replaces the row.
  protected override insertVerb({ conflict, partial }: LogicalInsert): string {
    if (partial) return 'INSERT OR FAIL INTO';
    return conflict && conflict.target.length === 0 && conflict.update.length > 0
      ? 'INSERT OR REPLACE INTO'
      : 'INSERT INTO';
  }

  protected override conflictClause(conflict: LogicalConflict, columns: readonly ColumnInfo[]): string {
    return conflict.target.length === 0 && conflict.update.length > 0 ? '' : super.conflictClause(conflict, columns);
  }
}
