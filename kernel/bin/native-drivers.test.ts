import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nativeDrivers } from './native-drivers.mjs';

const releases = (napi: string) => nativeDrivers({ napi }).map(({ name, compiles }) => [name, compiles]);

test.each([
  ['9', true],
  ['10', false],
  ['11', false],
])('a Node with Node-API %s compiles its drivers: %s', (napi, compiles) => {
  expect(releases(napi)).toEqual(releases(napi).map(([name]) => [name, compiles]));
});

test('the drivers that are compiled are those of the lock file', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const { name, version } of nativeDrivers({ napi: '9' }))
    expect([name, devDependencies[name]]).toEqual([name, version]);
});
