import { fwError } from '../../kernel/index.js';
import type { Dialect, ServerOptions, SqlHandle } from './core/index.js';
import { ORM_ERRORS } from './core/index.js';

/** What it takes to open a database by configuration. */
export interface DriverSettings extends ServerOptions {
  readonly driver: 'sqlite' | 'postgres' | 'mysql' | 'sqlserver';
  readonly file?: string;
  readonly url?: string;
}

/** An open handle with its dialect. */
export interface OpenedDriver {
  readonly handle: SqlHandle;
  readonly dialect: Dialect;
}

/**
 * Opens a database by name of its driver; only that driver is imported.
 *
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_DRIVER_MISSING`, `FW_ORM_CONNECTION`
 */
export async function openDriver(settings: DriverSettings): Promise<OpenedDriver> {
  const { driver, file, url, ...server } = settings;
  // Whoever opens it says what is missing, with an address as it should be.
  const address = url as string;
  switch (driver) {
    case 'sqlite': {
      const { openSqlite, sqlite } = await import('./dialect-sqlite/index.js');
      return { handle: await openSqlite(named(file), server), dialect: sqlite };
    }
    case 'postgres': {
      const { openPostgres, postgres } = await import('./dialect-postgres/index.js');
      return { handle: await openPostgres(address, server), dialect: postgres };
    }
    case 'mysql': {
      const { mysql, openMysql } = await import('./dialect-mysql/index.js');
      return { handle: await openMysql(address, server), dialect: mysql };
    }
    case 'sqlserver': {
      const { openSqlServer, sqlserver } = await import('./dialect-sqlserver/index.js');
      return { handle: await openSqlServer(address, server), dialect: sqlserver };
    }
  }
}

function named(file: string | undefined): string {
  if (file !== undefined && file !== '') return file;
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, {
    option: 'file',
    expected: 'a path, or :memory:',
    got: file === undefined ? 'nothing' : 'an empty text',
  });
}
