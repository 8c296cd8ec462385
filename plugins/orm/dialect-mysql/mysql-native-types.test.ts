import { describeWith } from '../../../kernel/testing/required-service.js';
import { nativeTypesContract } from '../contract/native-types.contract.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';
import { mysql } from './index.js';

describeWith(MYSQL, 'MariaDB', (url) => {
  const isSql = /^(?:[bx]'|ST_)/;
  const words = {
    id: 'int AUTO_INCREMENT PRIMARY KEY',
    literal: (value: string) => (isSql.test(value) ? value : `'${value.replaceAll("'", "''")}'`),
    text: (column: string) => `HEX(CAST(${column} AS BINARY))`,
    server: 'MariaDB',
  };
  nativeTypesContract({ name: 'MariaDB', dialect: mysql, create: () => mysqlDatabase(url) }, words);
});
