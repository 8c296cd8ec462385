import { token, type Token } from '../../../kernel/index.js';
import type { ReaderRequest, ReaderSetup, ReadRequest, ReadRows } from './reading.js';
import type { TemporaryDatabase } from './temporary-database.js';
import { Database, DEFAULT_DATABASE, type Dialect, type DatabaseHandle, type SqlHandle } from '../core/index.js';

export { DEFAULT_DATABASE };

/** Whether a database can be called so: a lower-case word such as `reports`, or {@link DEFAULT_DATABASE}. */
export const isDatabaseName = (name: string): boolean => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);

/** A database that an application shall have: what the plugin of a dialect contributes, and the plugin `orm` opens. */
export interface DatabaseSource {
  /** Name of the database in the application; `default` for the one behind `Database`. */
  readonly name: string;
  readonly dialect: Dialect;
  /**
   * Opens it; called once, while the application starts.
   *
   * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`, `FW_ORM_CONNECTION`
   */
  open(): Promise<SqlHandle>;
  /**
   * Makes and opens a database of its own beside this one; missing where none can be made.
   *
   * @throws FwError `FW_ORM_TEMPORARY_DATABASE`, and what `open` throws
   */
  openTemporary?(): Promise<TemporaryDatabase>;
  /** Where it is, before anybody opens it; undefined for a dialect whose options call that otherwise. */
  readonly address?: { readonly url: string } | { readonly file: string } | undefined;
  /**
   * Runs one statement, and the database refuses it where it does more than read; missing where the dialect cannot have that.
   *
   * @throws FwError `FW_ORM_READ_LOGIN`, `FW_ORM_READ_REFUSED`
   */
  read?(request: ReadRequest): Promise<ReadRows>;
  /** How a login is made that only reads; missing where there are none. */
  reader?(request: ReaderRequest): Promise<ReaderSetup>;
}
export const DatabaseSource = token<DatabaseSource>('fw.orm.DatabaseSource');

/** What an application will open, before it has. */
export interface DatabaseSources {
  /** @throws FwError `FW_ORM_DIALECT`, `FW_ORM_OPTIONS` */
  all(): Promise<readonly DatabaseSource[]>;
}
export const DatabaseSources = token<DatabaseSources>('fw.orm.DatabaseSources');

/** The databases of an application, by name. */
export interface Databases {
  /** Names, `default` first where there is one. */
  names(): readonly string[];
  /**
   * An open database.
   *
   * @throws FwError `FW_ORM_DATABASE_NAME` when there is none of that name, `FW_ORM_CLOSED` before the start and after the end
   */
  get(name: string): DatabaseHandle;
}
export const Databases = token<Databases>('fw.orm.Databases');

const byName = new Map<string, Token<DatabaseHandle>>([[DEFAULT_DATABASE, Database]]);

/**
 * The token of a database with a name, for `uses`, `services.get` and `@inject`.
 *
 * @example
 * const reports = services.get(databaseNamed('reports'));
 */
export function databaseNamed(name: string): Token<DatabaseHandle> {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const made = token<DatabaseHandle>(`fw.Database.${name}`);
  byName.set(name, made);
  return made;
}
