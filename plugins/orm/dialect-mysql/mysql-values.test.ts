import { describeWith } from '../../../kernel/testing/required-service.js';
import { MYSQL, mysqlDatabase } from '../contract/test-servers.js';
import { valuesContract } from '../contract/values.contract.js';
import { mysql } from './index.js';

describeWith(MYSQL, 'MySQL', (url) => {
  valuesContract('MySQL', mysql, () => mysqlDatabase(url));
});
