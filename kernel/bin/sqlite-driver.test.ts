import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { SQLITE_DRIVERS, sqliteDriver } from './sqlite-driver.mjs';

test.each([
  ['9', SQLITE_DRIVERS.compiled],
  ['10', SQLITE_DRIVERS.nodeApi],
  ['11', SQLITE_DRIVERS.nodeApi],
])('a Node with Node-API %s gets better-sqlite3 %s', (napi, version) => {
  expect(sqliteDriver({ napi })).toBe(version);
});

test('the driver that is compiled is the one of the lock file', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(devDependencies['better-sqlite3']).toBe(SQLITE_DRIVERS.compiled);
});
