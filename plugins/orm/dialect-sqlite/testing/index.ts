import type { DialectTesting } from '../../contract/tested-dialects.js';
import { inFile, inMemory, testedSqlite } from './sqlite-databases.js';

export default { create: inFile, createQuickly: inMemory, tested: () => testedSqlite } satisfies DialectTesting;
