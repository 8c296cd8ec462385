import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { serverUrlContract } from '../contract/server-url.contract.js';
import { openSqlServer } from './open-sqlserver.js';

serverUrlContract('sqlserver', openSqlServer, 'mssql://a@b/c');

const hasIpv6 = Object.values(networkInterfaces()).some((own) => own?.some(({ address }) => address === '::1'));

(hasIpv6 ? test : test.skip)('an address of IPv6 reaches its server', async () => {
  let reached = 0;
  const server = createServer((socket) => {
    reached++;
    socket.destroy();
  });
  await once(server.listen(0, '::1'), 'listening');
  const url = `sqlserver://sa:secret@[::1]:${(server.address() as AddressInfo).port}/shop`;
  const handle = await openSqlServer(url, { connectTimeout: 2000, encrypt: false });
  await expect(handle.ping()).rejects.toMatchObject({ code: 'FW_ORM_CONNECTION' });
  await handle.close();
  server.close();
  expect(reached).toBeGreaterThan(0);
});
