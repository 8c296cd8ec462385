import type { DialectTesting } from '../../contract/tested-dialects.js';
import { EXISTING } from './existing-schema.js';
import { inFile, inMemory, testedSqlite } from './sqlite-databases.js';

export default {
  create: inFile,
  createQuickly: inMemory,
  tested: () => testedSqlite,
  existing: EXISTING,
} satisfies DialectTesting;
