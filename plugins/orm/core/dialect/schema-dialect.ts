import type { ColumnInfo } from '../model/model-info.js';
import type { SqlConnection } from '../session/sql-handle.js';
import type { ColumnKind } from '../model/kinds.js';

/**
 * Queries that describe a schema: the current one, or with `currentSchema` the one that their only parameter names. All dialects
 * give the same columns, so that one reader serves them:
 * - `columns`: table, column, type, nullable (0/1), default text, counted by the database (0/1), place in the primary key (0: none),
 *   name of the default where it has one, whether its values are computed from other columns (0/1), name of the primary key,
 *   collation, how its values are computed, what else a statement that changes it must repeat, the values of its type where that
 *   is an enum with a name (as a JSON list), the type that values are of where the column's is a domain, the dimensions that its arrays were
 *   declared with, what the definition of the primary key says behind its columns; what does not apply is null, and may be left out at the end
 * - `indexes`: table, index, unique (0/1), column (null for an expression), whether the index is of these columns and nothing more
 *   (0/1), whether it belongs to a unique constraint (0/1), this part of it as SQL (null where SQL does not say all of the index),
 *   its condition, its method where that is not the usual one, whether it was never finished (0/1), the columns that it has beside
 *   (as a JSON list), whether null is a value like any other to it (0/1); in index order, without those of primary keys. The last six
 *   may be left out: an index that is more than columns stays as it is then
 * - `foreignKeys`: table, constraint, column, referenced table (with its schema where that is not the current one), referenced
 *   column, action on delete, action on update, `DEFERRABLE ...` where its check may wait, `FULL` where that is how it matches, the columns
 *   that ON DELETE sets where these are not all of its own (as a JSON list; the last three may be left out); in key order
 * - `checks`: table, constraint, condition, whether it is a part of its column (0/1, or left out); none where the database keeps its
 *   own definitions
 * - `views`: view, its query as SQL, whether it keeps the rows that it found (0/1), what its definition says before VIEW, behind its name
 *   and behind its query (each with its spaces), the statements that give others rights on it, where it loses them when it is dropped (as a
 *   JSON list; these four may be left out); their columns are among `columns`, whose rows of views have
 *   no part in the other queries. Left out, views are not seen
 * - `comments`: table, column (null for the table), what the database keeps about it in words; left out where it keeps none
 * - `programs`: table (null for what is of none), what it is (`trigger`, `function`, ...), its name, its text, whether that speaks of a
 *   column by its new name when it is renamed (0/1); left out, nothing is said of them when the name of a column is gone
 * - `definitions`: table, kind (`table`, `index`, `trigger`), name, SQL; only where the database keeps what it was told
 */
export interface Introspection {
  readonly columns: string;
  readonly indexes: string;
  readonly foreignKeys: string;
  readonly checks?: string;
  readonly definitions?: string;
  /** Query of all that the database was told of its schema: equal rows mean that all of the others give the same. */
  readonly whole?: string;
  readonly views?: string;
  readonly comments?: string;
  readonly programs?: string;
  /** Columns of the view that the only parameter names, as `columns` gives them; where one that is out of order would fail all. */
  readonly columnsOfView?: string;
  /** The query in the definition of a view, for databases that keep what they were told. */
  viewIn?(definition: string): string;
  /** Query that names the current schema; present where the others take the name of a schema, or null for the current one. */
  readonly currentSchema?: string;
  /** Check constraints in the definition of a table; for databases that have `definitions`. */
  checksIn?(definition: string): readonly { readonly name: string; readonly sql: string }[];
  /** An index by its definition; for databases that have `definitions`. */
  indexIn?(definition: string): IndexDefinition | undefined;
  /**
   * How the catalogs show the expression of a computed column, when a table has one of this type; undefined for one that the database
   * refuses there. Runs in a transaction that is rolled back. Present where the catalogs give expressions back in words of their own.
   */
  shownExpression?(
    on: Pick<SqlConnection, 'query' | 'script'>,
    quotedTable: string,
    column: { readonly type: string; readonly expression: string },
  ): Promise<string | undefined>;
  /**
   * How the catalogs show the query of a view; undefined for one that the database refuses. What it makes for that is gone behind it.
   * Present where the catalogs give queries back in words of their own.
   */
  shownQuery?(on: Pick<SqlConnection, 'query' | 'script'>, query: string): Promise<string | undefined>;
  /**
   * Statements that make tables in an empty database as they are in this one, with their types, indexes, constraints and comments, in the
   * order in which they run. Absent where `definitions` say it, or the other queries all that there is.
   */
  remade?(on: Pick<SqlConnection, 'query'>, tables: readonly RemadeTable[]): Promise<readonly string[]>;
  /** Further parts of a table's definition, for rebuilding it; for databases that have `definitions`. */
  keptIn?(definition: string): KeptDefinition;
  /** Normal form of a type, to compare declared and actual types. */
  normalizeType(type: string): string;
  /** The values of a type that is an enum and lists them itself. */
  enumValues?(type: string): readonly string[] | undefined;
  /** Names that the database gives to indexes whose constraints have none. */
  readonly namelessIndexes?: RegExp;
  /** Words for the current time and day in defaults, without parentheses around them, beside those of standard SQL and `now()`. */
  readonly momentWords?: MomentWords;
  /** Whether a backslash between quotes escapes what follows it. */
  readonly backslashes?: boolean;
  /** A text as the catalogs show it, where they do not have every letter. */
  shownAs?(text: string): string;
  /** The types that the database has by itself, and what each is for a model. */
  readonly nativeTypes: readonly NativeType[];
  /** What a type means for a model; undefined for one that it has no kind for, which is read as text. */
  kindOf(type: string): ColumnKind | undefined;
  /** How a column that is a Date holds its times; present where its type does not say. */
  heldTimes?(on: Pick<SqlConnection, 'query'>, place: TimePlace): Promise<HeldTimes>;
  /** Whether a column holds times in any format, which its type does not say, so that conditions need the right one. Default false. */
  readonly timesByValue?: boolean;
  /**
   * What a column that is a boolean by its type is declared as, where it holds something else, or has it as its default: a whole number, or
   * anything; undefined for a boolean. Present where the type allows such values.
   */
  heldTruths?(
    on: Pick<SqlConnection, 'query'>,
    place: Pick<TimePlace, 'quotedTable' | 'quotedColumn' | 'default'>,
  ): Promise<'int' | 'any' | undefined>;
  /** SQL of cells as text, for `fw db check`; without it no cells are compared. */
  readonly cells?: CellTexts;
  /** Query whose first column lists the tables of the current schema whose changes no rollback undoes; without it there are none. */
  readonly lastingTables?: string;
}

/** A table that another database is to have. */
export interface RemadeTable {
  readonly quotedName: string;
  /** Its columns, as CREATE TABLE writes them. */
  readonly columns: readonly string[];
}

/** A database's own words for the moment of an insert. */
export interface MomentWords {
  readonly now?: RegExp;
  readonly today?: RegExp;
}

/** SQL that converts cells to text inside the database, to verify values that were read. Null stays null. */
export interface CellTexts {
  /** The whole content of a cell: equal texts mean equal cells. */
  exact(quotedColumn: string): string;
  /**
   * What a cell means, by the kind of its column: of a Date the microseconds since 1970, or its own text where it is no moment; of a
   * boolean 1 or 0, of bytes their hexadecimal digits, of an array a list of texts as JSON, of `any` the storage class and the value;
   * of a PlainDate what ISO 8601 writes, else the text that the database has for it.
   */
  meaning(quotedColumn: string, column: ColumnInfo): string;
}

/** A column that holds times. */
export interface TimePlace {
  readonly table: string;
  readonly column: string;
  readonly quotedTable: string;
  readonly quotedColumn: string;
  /** Whether it holds lists of them. */
  readonly isArray: boolean;
  /** SQL of its default; null for none. */
  readonly default: string | null;
  /** How many of its values are looked at, which are some; all when left out. */
  readonly most?: number | undefined;
}

/** How a column holds times: in a format that its tag has to say, in none that there is, or as the dialect does (empty). */
export interface HeldTimes {
  readonly format?: string;
  /** Whether it holds values, or has a default, that no `Date` can hold (`infinity`, `0000-00-00`), so that its property is a text. */
  readonly isText?: boolean;
  /** What is wrong with its values, as the rest of a sentence that begins with the column. */
  readonly problem?: string;
}

/**
 * A type of the database, and what `fw db pull` makes of it. Columns of the type are read, written back as they were read and, if
 * nothing else is said, found by `eq`.
 */
export interface NativeType {
  /** As the catalogs name it, without length and precision. */
  readonly type: string;
  readonly kind: ColumnKind;
  /** The type as a column declares it, where the name alone is not a type. */
  readonly declared?: string;
  /** Values in the words of the database, as text. */
  readonly values: readonly string[];
  /** Why `eq` does not find the value, or what it looks at. */
  readonly compared?: string;
  /** Why a value is not written back. */
  readonly written?: string;
  /** Servers that have it, of those that the dialect is for; all without it. */
  readonly of?: readonly string[];
}

/** Kinds by the names of types. */
export const kindsOf = (types: readonly NativeType[]): ReadonlyMap<string, ColumnKind> =>
  new Map(types.map(({ type, kind }) => [type, kind]));

/** What the definition of an index says. */
export interface IndexDefinition {
  /** Columns, expressions, and what is said of either, as SQL. */
  readonly parts: readonly string[];
  readonly where: string | undefined;
  readonly using: string | undefined;
  /** Columns beside those that it is ordered by. */
  readonly include?: readonly string[] | undefined;
  readonly nullsNotDistinct?: boolean | undefined;
}

/** Parts of a table's definition that a rebuilt table keeps, and parts that it loses. */
export interface KeptDefinition {
  /** What stands behind the columns, such as `STRICT, WITHOUT ROWID`. */
  readonly options: string;
  readonly columns: ReadonlyMap<string, KeptColumn>;
  /** Words for what would be lost. */
  readonly lost: readonly string[];
}

/** Parts of a column's definition that no model says. */
export interface KeptColumn {
  readonly collation?: string;
  /** How its values are computed: `GENERATED ALWAYS AS (...)`. */
  readonly computed?: string;
}

/** SQL that keeps two migration runners apart. */
export interface AdvisoryLock {
  /** If a session holds the lock, or it only tries, it gives one row, whose first value is 0 when the lock was not obtained. */
  readonly acquire: string;
  /** Whether it only tries and is repeated, because a waiting statement would block others. */
  readonly tries?: boolean;
  /** Absent where the end of the transaction releases it; else the session holds it. */
  readonly release?: string;
  /** The same lock held by a session, for what runs outside of a transaction; where `acquire` is one of the transaction. */
  readonly session?: SessionLock;
}

/** A lock that a session holds. */
export interface SessionLock {
  readonly acquire: string;
  readonly tries?: boolean;
  readonly release: string;
}

/** A statement of an SQL text, as migrations note it where no transaction is around all of them. */
export interface ScriptStatement {
  readonly sql: string;
  /** Whether it may contain several statements, so that after a failure it is unknown how many were run. */
  readonly several: boolean;
  /**
   * The transaction that it runs in. `shared`: with the statements around it, which a failure undoes together; `own`: in a transaction of
   * its own, because it may commit; `none`: in none, because the database refuses to run it in one.
   */
  readonly transaction: 'shared' | 'own' | 'none';
  /** Whether it says something for the session, so that another session has to be told, too. */
  readonly ofSession: boolean;
}

/** All that is said about a column, and can be changed. */
export interface ColumnState {
  readonly type: string;
  readonly nullable: boolean;
  /** SQL of the default; null for none. */
  readonly default: string | null;
  /** Name of the default, where it has one. */
  readonly defaultName?: string | undefined;
  /** Whether the database numbers it. */
  readonly autoincrement: boolean;
  readonly collation?: string | undefined;
  /** How its values are computed: `GENERATED ALWAYS AS (...)`. */
  readonly expression?: string | undefined;
  /** Condition that is a part of the column. */
  readonly check?: string | undefined;
  /** Whether its type is an enum with a name. */
  readonly isEnum?: boolean | undefined;
  /** Attributes that no model declares and the column keeps, as SQL: ` INVISIBLE COMMENT 'x'`. */
  readonly attributes?: string | undefined;
}

/** What words are kept about: a table, a view, or a column with what else is said of it. */
interface CommentPlace {
  readonly quotedTable: string;
  readonly isView: boolean;
  readonly column?: { readonly quotedName: string; readonly state: ColumnState };
  /** Words that are there. */
  readonly former: string | undefined;
}

/** How ALTER TABLE changes a primary key, in clauses. */
export interface KeyClauses {
  drop(quotedName: string): string;
  add(quotedName: string, columns: string): string;
  /** Whether one statement takes several clauses, so that a numbered column is never without a key. */
  readonly together: boolean;
}

/** Enums that are types of the database: written where the column is, or types with a name. */
export type EnumTypes =
  | { readonly are: 'inline'; type(values: readonly string[]): string }
  | {
      readonly are: 'named';
      create(quotedName: string, values: readonly string[]): string;
      drop(quotedName: string): string;
      /** Drops one that may be there from a table that was dropped. */
      dropIfThere(quotedName: string): string;
      /** Adds a value behind the others. */
      add(quotedName: string, value: string): string;
      rename(quotedName: string, quotedNewName: string): string;
    };

/** How a table takes the place of another that it was built to follow. */
export interface TableReplacement {
  /** Renames the new table, and nothing that speaks of the old one. */
  rename(quotedFrom: string, quotedTo: string): readonly string[];
  /** Lets the new table count keys on from the highest that the old one ever gave; nothing where either counts none. */
  countOn?(from: CountedTable, to: CountedTable): readonly string[];
  /** A trigger of the table with new names of the columns that it certainly means, by their former ones. */
  renamedTrigger?(sql: string, names: ReadonlyMap<string, string>): string;
}

/** A table that may count keys, by its definition. */
interface CountedTable {
  readonly name: string;
  readonly definition: string;
}

/** How a check comes to a table whose rows are not looked at. */
export interface UncheckedConstraint {
  readonly add: string;
  /** What happens with rows that do not fit, in words; default `this fails`. */
  readonly unfit?: string;
  /** Statement that looks at the rows, where there is one. */
  readonly validate?: string;
}

/** How a database spells tables; migrations, `create-missing` and `db pull` build on it. */
export interface SchemaDialect {
  /** Type of a column, without constraints. */
  columnType(column: ColumnInfo): string;
  /** What stands behind the name of a computed column; default its type, then `GENERATED ALWAYS AS (...) STORED` or `VIRTUAL`. */
  computed?(type: string, parenthesised: string, virtual: boolean): string;
  /** What stands behind the name of a column that the database counts, in place of type and key. */
  autoincrement(column: ColumnInfo): string;
  /**
   * A default as DDL writes it; see {@link defaultWriter}.
   *
   * @throws FwError `FW_ORM_TAG` for a text that is none of the column's kind
   */
  defaultValue(column: ColumnInfo, text: string): string;
  /** A text between quotes. */
  text(value: string): string;
  /** Condition that the elements of an array are among values; present where arrays are a type. */
  elementsAmong?(quotedColumn: string, values: readonly string[], type: string): string;
  /** Condition that an array has one of the values. */
  elementsHave?(quotedColumn: string, values: readonly string[], type: string): string;
  /** Absent where a check stands in for them. */
  readonly enums?: EnumTypes;
  /** Adds a check without a look at the rows; absent where the table must be built anew. */
  addUnchecked?(quotedTable: string, quotedName: string, clause: string): UncheckedConstraint;
  /** Whether checks speak of a column by its new name when it is renamed; elsewhere they may keep it from that. */
  readonly checksFollow?: boolean;
  /** The elements in the text of an array, as a default shows it; present where arrays are a type. */
  readList?(text: string): readonly unknown[];
  /** Query whose first column lists the tables of the current schema. */
  readonly listTables: string;
  /** Query whose first column lists the databases of the server; present where `CREATE DATABASE` makes another one. */
  readonly listDatabases?: string;
  readonly introspection: Introspection;
  /**
   * Runs a part of a transaction without checks of foreign keys, and checks all of them afterwards; present where tables are rebuilt. What
   * the transaction did before is committed.
   */
  withoutForeignKeys?<Result>(on: Pick<SqlConnection, 'query' | 'script'>, run: () => Promise<Result>): Promise<Result>;
  /**
   * What becomes of rows that are there when a column is added which takes no null and has no default, as the rest of a sentence. Absent
   * where that fails.
   */
  readonly newColumnHolds?: string;
  /** Absent where a write transaction already keeps others out. */
  readonly advisoryLock?: AdvisoryLock;
  /**
   * Limits how long a statement waits for the locks of others: until the end of the transaction, or, where there is a `reset`, until
   * that. Absent where a transaction waits for nobody once it has begun.
   */
  readonly lockTimeout?: { set(milliseconds: number): string; readonly reset?: string };
  /**
   * Whether a statement that changes the schema commits what ran before it, so that a migration that fails cannot be undone. Its
   * statements are noted one by one then, as {@link SchemaDialect.statements} gives them.
   */
  readonly commitsChanges?: boolean;
  /** Statements of an SQL text, in order; for migrations that do not run in one transaction. */
  statements?(sql: string): readonly ScriptStatement[];
  /** The outcome of an interrupted or failed statement outside of a transaction, according to the catalogs; removes useless remains. */
  settle?(on: SqlConnection, sql: string): Promise<'done' | 'undone' | undefined>;
  /** The first rows of a SELECT with an ORDER BY; default `LIMIT`. */
  firstRows?(select: string, count: number): string;
  /** Whether an index can be of some rows (`WHERE`), and have a method (`USING`). */
  readonly partialIndexes?: boolean;
  readonly indexMethods?: boolean;
  /** Whether an index can have columns beside (`INCLUDE`), and null as a value like any other (`NULLS NOT DISTINCT`). */
  readonly indexIncludes?: boolean;
  readonly nullsNotDistinct?: boolean;
  /** Whether the check of a foreign key can wait for the end of a transaction (`DEFERRABLE`). */
  readonly deferrableKeys?: boolean;
  /** Whether an index can be made beside those who write to its table (CREATE INDEX CONCURRENTLY). */
  readonly concurrentIndexes?: boolean;
  /**
   * Changes a column; absent where the table must be built anew, constraints included. Such a database adds columns that have a literal
   * as default or take null, drops those that nothing speaks of, and renames; anything else takes a new table.
   */
  alterColumn?(quotedTable: string, quotedColumn: string, from: ColumnState, to: ColumnState): readonly string[];
  /** A column as ADD COLUMN writes it behind its name. */
  columnText(state: ColumnState): string;
  /** Present where tables are built anew; default a plain `RENAME TO`. */
  readonly replacement?: TableReplacement;
  /** How long a name may be, where there is a limit. */
  readonly longestName?: { readonly most: number; readonly unit: 'bytes' | 'characters' };
  /** Renames a column where this takes more than the names. */
  renameColumn?(quotedTable: string, quotedFrom: string, quotedTo: string, state: ColumnState): string;
  /** Absent where the table must be built anew. */
  readonly primaryKey?: KeyClauses;
  /** Which columns the database can number: any, those of the primary key, or one that is the whole key. */
  readonly numbers: 'columns' | 'keys' | 'key';
  /** Whether a column is numbered from its beginning or never. */
  readonly numbersFromStart?: boolean;
  /** Drops a default by name; present where defaults have names, and columns cannot be dropped before them. */
  dropDefault?(quotedTable: string, quotedName: string): string;
  /** What a change of a column's type does to values that fit, in words; undefined for nothing. */
  changeOfValues?(from: string, to: string): string | undefined;
  dropForeignKey(quotedTable: string, quotedName: string): string;
  /** Drops a check or a unique constraint. */
  dropConstraint(quotedTable: string, quotedName: string): string;
  /**
   * What cannot be changed while a foreign key exists: the types of its columns, or columns and indexes altogether. It is dropped and added
   * again around such a change.
   */
  readonly keysHold?: 'types' | 'all';
  /** Whether it makes an index for a foreign key that has none, under the key's name, and leaves it behind. */
  readonly keysMakeIndexes?: boolean;
  /**
   * Whether a column takes no other type and no other null while an index, a check or the primary key is on it. They are dropped
   * and made again around such a change.
   */
  readonly columnsAreHeld?: boolean;
  /** Which changes of a column a computed one that reads it refuses: those of its type, or any; it is dropped and added again around them. */
  readonly computedHold?: 'types' | 'all';
  /** Action of a foreign key where the database has no such word. */
  readonly noRestrict?: boolean;
  /** Whether a statement cannot change a column while a view reads it. Such a view is dropped and created again around it. */
  viewsHold?(statement: string): boolean;
  /**
   * Statement that sets the comment of a table, a view or a column; an empty text removes it. Absent where the database has no comments.
   *
   * @returns undefined for a place that has no comment
   */
  comment?(of: CommentPlace, words: string): string | undefined;
  dropIndex(quotedTable: string, quotedIndex: string): string;
  /** Verb of ADD COLUMN: `ADD COLUMN`, or `ADD`. */
  readonly addColumn: string;
  /** Follows the closing parenthesis of CREATE TABLE; default nothing. */
  readonly tableOptions?: string;
  /** Type of the text columns of the version table, which must be able to be a key. */
  readonly versionType: string;
}
