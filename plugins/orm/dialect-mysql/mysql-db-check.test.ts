import { describeWith } from '../../../kernel/testing/required-service.js';
import { dbCheckContract } from '../contract/db-check.contract.js';
import { mysql } from './index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';
import { WORLD } from './testing/world-schema.js';

describeWith(MYSQL, 'MariaDB', (url) =>
  dbCheckContract({ name: 'MariaDB', dialect: mysql, create: () => mysqlDatabase(url) }, WORLD),
);
