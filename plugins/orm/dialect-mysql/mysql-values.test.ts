import { describeWith } from '../../../kernel/testing/required-service.js';
import { defaultsContract } from '../contract/defaults.contract.js';
import { MYSQL, mysqlDatabase } from '../contract/test-servers.js';
import { valuesContract } from '../contract/values.contract.js';
import { mysql } from './index.js';

describeWith(MYSQL, 'MySQL', (url) => {
  for (const contract of [valuesContract, defaultsContract]) contract('MySQL', mysql, () => mysqlDatabase(url));
});
