import { expect, test } from '@jest/globals';
import { wantedBaseImage } from './options.js';

test.each([
  ['', '20.19.0', 'docker.io/library/node:20-slim'],
  ['  ', '24.21.0', 'docker.io/library/node:24-slim'],
  ['own:1', '24.21.0', 'own:1'],
])('with baseImage "%s" on Node %s services are built on %s', (option, node, image) => {
  expect(wantedBaseImage(option, { node } as NodeJS.ProcessVersions)).toBe(image);
});
