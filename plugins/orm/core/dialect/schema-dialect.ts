import type { ColumnInfo } from '../model/model-info.js';
import type { ColumnKind } from './kinds.js';

/**
 * Queries that describe the current schema. All dialects give the same columns, so that one reader serves them:
 * - `columns`: table, column, type, nullable (0/1), default text, counted by the database (0/1), place in the primary key (0: none)
 * - `indexes`: table, index, unique (0/1), column; in index order, without those of primary keys
 * - `foreignKeys`: table, constraint, column, referenced table, referenced column; in key order
 */
export interface Introspection {
  readonly columns: string;
  readonly indexes: string;
  readonly foreignKeys: string;
  /** One spelling per type, so that what is wanted and what is there can be compared. */
  normalizeType(type: string): string;
  /** What a type means for a model; undefined for one that it has no kind for. */
  kindOf(type: string): ColumnKind | undefined;
}

/** SQL that keeps two migration runners apart; runs on a connection that stays open meanwhile. */
export interface AdvisoryLock {
  readonly acquire: string;
  /** Absent when the end of the transaction releases it. */
  readonly release?: string;
}

/** How a database spells tables; migrations, `create-missing` and `db pull` build on it. */
export interface SchemaDialect {
  /** Type of a column, without constraints. */
  columnType(column: ColumnInfo): string;
  /** What stands behind the name of a column that the database counts, in place of type and key. */
  autoincrement(column: ColumnInfo): string;
  /** A default as DDL writes it. */
  defaultValue(column: ColumnInfo, text: string): string;
  /** Query whose first column lists the tables of the current schema. */
  readonly listTables: string;
  readonly introspection: Introspection;
  /** Absent where a write transaction already keeps others out. */
  readonly advisoryLock?: AdvisoryLock;
  /** Changes type and nullability of a column; undefined when the table must be built anew. */
  alterColumn(
    quotedTable: string,
    quotedColumn: string,
    type: string,
    nullable: boolean,
  ): readonly string[] | undefined;
  dropIndex(quotedTable: string, quotedIndex: string): string;
  /** Verb of ADD COLUMN, which SQL Server writes shorter. */
  readonly addColumn: string;
  /** Follows the closing parenthesis of CREATE TABLE; default nothing. */
  readonly tableOptions?: string;
  /** Type of the text columns of the version table, which must be able to be a key. */
  readonly versionType: string;
}
