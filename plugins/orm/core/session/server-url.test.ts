import { expect, test } from '@jest/globals';
import { openMysql } from '../../dialect-mysql/index.js';
import { openPostgres } from '../../dialect-postgres/index.js';
import { openSqlServer } from '../../dialect-sqlserver/index.js';

type Opener = (url: string) => Promise<{ readonly driver: unknown }>;

const OPENERS: readonly (readonly [protocol: string, open: Opener, other: string])[] = [
  ['mysql', openMysql, 'mariadb://a@b/c'],
  ['postgres', openPostgres, 'postgresql://a@b/c'],
  ['sqlserver', openSqlServer, 'mssql://a@b/c'],
];

test.each(OPENERS)(
  'an address that is none of %s is refused before anything is sent',
  async (protocol, open, _other) => {
    for (const [given, got] of [
      [undefined, 'nothing'],
      ['', 'an empty text'],
      [5, 'the number 5'],
      ['user:secret@host', 'one of user:'],
      ['no address, but a secret', 'a string'],
      ['http://user:secret@host', 'one of http:'],
    ]) {
      const refused = open(given as string);
      await expect(refused).rejects.toMatchObject({ code: 'FW_ORM_OPTIONS', details: { option: 'url', got } });
      await expect(refused).rejects.toThrow(`expected a URL such as ${protocol}://user:password@host:`);
      await expect(refused).rejects.not.toThrow('secret');
    }
  },
);

test.each(OPENERS)('what is shown of an address of %s has no password', async (protocol, open, other) => {
  const handle = await open(`${protocol}://ada:a%3Ab@host:1/shop`);
  expect(handle.driver).toEqual({ url: `${protocol}://ada:***@host:1/shop` });
  expect((await open(other)).driver).toEqual({ url: other });
});

test('PostgreSQL is reached by the folder of a socket, too', async () => {
  expect((await openPostgres('/var/run/postgresql shop')).driver).toEqual({ url: '/var/run/postgresql shop' });
});
