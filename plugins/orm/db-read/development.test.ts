import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { withDatabase } from '../commands/with-database.js';
import { developmentDatabase } from './development.js';
import { assertHere } from './index.js';

test.each([
  ['a file', { file: '.fw/app.sqlite' }],
  ['loopback', { url: 'postgres://a:b@127.0.0.1:5432/shop' }],
  ['its name', { url: 'mysql://a:b@localhost/shop' }],
  ['IPv6', { url: 'postgres://a:b@[::1]/shop' }],
  ['no host', { url: 'postgres:///shop' }],
  ['the folder of a socket', { url: '/var/run/postgresql shop' }],
  ['a socket as its host', { url: 'postgres://%2Fvar%2Frun%2Fpostgresql/shop' }],
  ['a password with a percent sign', { url: 'postgres://a:100%@localhost/shop' }],
  ['a socket in the query', { url: 'postgres:///shop?host=/var/run/postgresql' }],
  ['a host that the operator allows', { url: 'postgres://a:b@db.internal/shop' }],
])('a database of %s is one of development', (_, address) => {
  expect(() => assertHere(address, { FW_MCP_LIVE_ALLOWLIST: 'DB.internal' })).not.toThrow();
});

test.each([
  ['another machine', { url: 'postgres://a:b@db.example/shop' }, {}],
  ['what looks like loopback', { url: 'postgres://a:b@127.0.0.1.db.example/shop' }, {}],
  ['a host in the query', { url: 'postgres://a:b@localhost/shop?host=db.example' }, {}],
  ['a host that only looks like a socket', { url: 'postgres:///shop?host=%252Fvar' }, {}],
  ['an address in the query', { url: 'mysql://a:b@localhost/shop?host=%22db.example%22' }, {}],
  ['one host of several', { url: 'postgres://a:b@localhost/shop?host=localhost,db.example' }, {}],
  ['a host of the environment', { url: 'postgres:///shop' }, { PGHOST: 'db.example' }],
  ['nobody knows where', undefined, {}],
])('a database of %s is none', (_, address, env) => {
  expect(() => assertHere(address, env)).toThrow(expect.objectContaining({ code: 'FW_ORM_DEVELOPMENT' }));
});

test.each([
  ['is no URL', 'postgres://ada:hunter2@a b/shop', 'a string'],
  [
    'has a broken percent sign',
    'postgres://ada:hunter2%e9@localhost/shop',
    'one with a percent sign that stands for no character',
  ],
  ['has a port that is none', 'postgres://ada:hunter2@localhost:port/shop', 'a string'],
])('an address that %s is refused by the name of its variable, and not shown', (_, url, got) => {
  const refused = () => assertHere({ url }, {}, 'DATABASE_READER_URL');
  expect(refused).toThrow(
    expect.objectContaining({
      code: 'FW_ORM_OPTIONS',
      details: expect.objectContaining({ option: 'DATABASE_READER_URL', got }),
    }),
  );
  expect(refused).not.toThrow('hunter2');
});

const KERNEL = path.resolve(import.meta.dirname, '../../../kernel/index.ts');

test('an application without a database is told how it gets one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-bare-'));
  const config = path.join(folder, 'app.config.mjs');
  await writeFile(
    config,
    `import { defineApp } from ${JSON.stringify(KERNEL)};\nexport default defineApp({ name: 'bare', version: '0.1.0', plugins: [] });`,
  );
  const refused = { code: 'FW_ORM_NO_DATABASE', message: expect.stringMatching(/app\.config\.mjs lists no fw\/orm\. Add it with .* add orm/) }; // prettier-ignore
  const how = { progress: (_what: string, work: (next: () => void) => unknown) => work(() => undefined), doing: 'looking' } as never; // prettier-ignore
  try {
    await expect(developmentDatabase({ config })).rejects.toMatchObject(refused);
    await expect(withDatabase({ config }, how, () => Promise.resolve())).rejects.toMatchObject(refused);
    await expect(withDatabase({ config, database: 'reports' }, how, () => Promise.resolve())).rejects.toMatchObject(refused); // prettier-ignore
  } finally {
    await rm(folder, { recursive: true });
  }
});
