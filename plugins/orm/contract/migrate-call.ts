import { parseArgs } from 'node:util';
import { migrateRequest, type MigrateOptions, type MigrateRequest } from '../migrations/index.js';

/** What `fw migrate` is asked to do by these words of a command line. */
export function migrateCall(...args: readonly string[]): MigrateRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      as: { type: 'string' },
      'lock-timeout': { type: 'string' },
      rename: { type: 'string', multiple: true },
      code: { type: 'boolean' },
      concurrently: { type: 'boolean' },
      'not-valid': { type: 'boolean' },
      'drop-tables': { type: 'boolean' },
      'dry-run': { type: 'boolean' },
    },
  });
  const { 'lock-timeout': lockTimeout, 'not-valid': notValid, 'drop-tables': dropTables, 'dry-run': dryRun } = values;
  const { name, as, rename, code, concurrently } = values;
  const given = { name, as, rename, code, concurrently, lockTimeout, notValid, dropTables, dryRun };
  return migrateRequest(positionals, given as MigrateOptions);
}
