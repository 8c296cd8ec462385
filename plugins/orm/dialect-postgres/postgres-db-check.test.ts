import { describeWith } from '../../../kernel/testing/required-service.js';
import { dbCheckContract } from '../contract/db-check.contract.js';
import { postgres } from './index.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';
import { WORLD } from './testing/world-schema.js';

describeWith(POSTGRES, 'PostgreSQL', (url) =>
  dbCheckContract('PostgreSQL', postgres, WORLD, () => postgresDatabase(url)),
);
