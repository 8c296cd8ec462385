import { describeWith } from '../../../kernel/testing/required-service.js';
import { dbCheckContract } from '../contract/db-check.contract.js';
import { mysql } from './index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';

describeWith(MYSQL, 'MariaDB', (url) => dbCheckContract('MariaDB', mysql, () => mysqlDatabase(url)));
