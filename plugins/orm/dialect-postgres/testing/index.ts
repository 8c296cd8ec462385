import type { DialectTesting } from '../../contract/tested-dialects.js';
import { POSTGRES, postgresDatabase, testedPostgres } from './postgres-server.js';

export default { server: POSTGRES, create: postgresDatabase, tested: testedPostgres } satisfies DialectTesting;
