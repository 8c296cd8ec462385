import { describeWith } from '../../../kernel/testing/required-service.js';
import { dbCheckContract } from '../contract/db-check.contract.js';
import { postgres } from './index.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';
import { WORLD } from './testing/world-schema.js';

describeWith(POSTGRES, 'PostgreSQL', (url) =>
  dbCheckContract({ name: 'PostgreSQL', dialect: postgres, create: () => postgresDatabase(url) }, WORLD),
);
