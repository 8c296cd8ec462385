import { describeWith } from '../../../kernel/testing/required-service.js';
import { POSTGRES, postgresDatabase } from '../contract/test-servers.js';
import { valuesContract } from '../contract/values.contract.js';
import { postgres } from './index.js';

describeWith(POSTGRES, 'PostgreSQL', (url) => {
  valuesContract('PostgreSQL', postgres, () => postgresDatabase(url));
});
