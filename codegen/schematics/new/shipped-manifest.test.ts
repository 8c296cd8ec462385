import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Manifest, shippedManifest } from './shipped-manifest.js';

const OWN = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Manifest;

test('what a package exports is what is built, and npm is asked to run none of its scripts', () => {
  const { exports, imports, ...rest } = shippedManifest(OWN);
  expect(JSON.stringify(shippedManifest(OWN))).not.toContain('fw-source');
  expect(exports).toMatchObject({
    './http': { types: './dist/types/plugins/http/index.d.ts', default: './dist/plugins/http/index.js' },
    './package.json': './package.json',
  });
  expect(imports).toMatchObject({ '#rooms': { default: './dist/rooms.js' } });
  expect(rest).not.toHaveProperty('scripts');
});

test('everything that an installation or a start needs is kept', () => {
  const kept = [
    'name',
    'version',
    'type',
    'engines',
    'bin',
    'dependencies',
    'peerDependencies',
    'peerDependenciesMeta',
  ];
  expect(shippedManifest(OWN)).toMatchObject(Object.fromEntries(kept.map((field) => [field, OWN[field]])));
});
