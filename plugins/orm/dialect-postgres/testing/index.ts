import type { DialectTesting } from '../../contract/tested-dialects.js';
import { EXISTING } from './existing-schema.js';
import { POSTGRES, postgresDatabase, testedPostgres } from './postgres-server.js';

export default {
  server: POSTGRES,
  create: postgresDatabase,
  tested: testedPostgres,
  existing: EXISTING,
} satisfies DialectTesting;
