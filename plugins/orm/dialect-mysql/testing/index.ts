import type { DialectTesting } from '../../contract/tested-dialects.js';
import { MYSQL, mysqlDatabase, testedMysql } from './mysql-server.js';

export default { server: MYSQL, create: mysqlDatabase, tested: testedMysql } satisfies DialectTesting;
