import { expect, test } from '@jest/globals';
import { serverUrlContract } from '../contract/server-url.contract.js';
import { openPostgres } from './open-postgres.js';

serverUrlContract('postgres', openPostgres, 'postgresql://a@b/c');

test('PostgreSQL is reached by the folder of a socket, too', async () => {
  expect((await openPostgres('/var/run/postgresql shop')).driver).toEqual({ url: '/var/run/postgresql shop' });
});
