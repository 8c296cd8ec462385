import { describeWith } from '../../../kernel/testing/required-service.js';
import { nativeTypesContract } from '../contract/native-types.contract.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';
import { postgres } from './index.js';

describeWith(POSTGRES, 'PostgreSQL', (url) => {
  const words = {
    id: 'serial PRIMARY KEY',
    literal: (value: string, type: string) => `'${value.replaceAll("'", "''")}'::${type}`,
    // The text of a record has that of each type, where a cast of character and name changes it.
    text: (column: string) => `ROW(${column})::text`,
    server: 'PostgreSQL',
  };
  nativeTypesContract({ name: 'PostgreSQL', dialect: postgres, create: () => postgresDatabase(url) }, words);
});
