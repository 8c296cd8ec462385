import type { DialectTesting } from '../../contract/tested-dialects.js';
import { EXISTING } from './existing-schema.js';
import { MYSQL, mysqlDatabase, testedMysql } from './mysql-server.js';

export default {
  server: MYSQL,
  create: mysqlDatabase,
  tested: testedMysql,
  existing: EXISTING,
} satisfies DialectTesting;
