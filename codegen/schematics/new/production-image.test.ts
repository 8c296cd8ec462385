import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runProcess } from '../../../kernel/process/index.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';
import { productionDockerfile } from './production-image.js';

test.each([
  ['20.20.2', '>=20.19.0', 22, 'the line of the machine gets no fixes any more'],
  ['22.23.3', '>=20.19.0', 22, 'its drivers and tests are of that line'],
  ['22.23.3', '>=24', 24, 'the application needs a newer one'],
  ['25.1.0', '>=20.19.0', 26, 'a line with an odd number is not kept'],
  ['26.12.1', '>=24', 26, 'its drivers and tests are of that line'],
  ['24.21.0', 'lts/*', 24, 'package.json says it in words'],
])('made on Node %s with engines %s, the image has Node %i: %s', (own, node, release) => {
  const text = productionDockerfile({ port: 3000, node }, own);
  expect(text).toContain(`ARG BUILD_IMAGE=docker.io/library/node:${release}\n`);
  expect(text).toContain(`ARG RUN_IMAGE=docker.io/library/node:${release}-slim\n`);
});

describe.each([
  ['package-lock.json', '{}', 'npm ci'],
  ['pnpm-lock.yaml', 'lockfileVersion: 9', 'pnpm install --frozen-lockfile'],
  ['yarn.lock', '# yarn lockfile v1\n', 'corepack yarn install --frozen-lockfile'],
  ['yarn.lock', '__metadata:\n', 'corepack yarn install --immutable'],
  ['bun.lock', '{}', 'bun install --frozen-lockfile'],
])('an image of a project with %s', (lock, text, expected) => {
  const script = /^RUN --mount=\S+ \\\n((?:.*\\\n)*.*)$/m.exec(productionDockerfile({ port: 3000, node: '*' }))?.[1];

  test(`is installed with ${expected}`, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'fw-image-'));
    await writeFile(path.join(folder, lock), text);
    // Programs that say how they are called.
    const told = ['npm', 'pnpm', 'corepack', 'bun'].map((name) => `${name}() { echo "${name} $*"; }\n`).join('');
    const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 10_000 };
    const ended = await runProcess({ command: 'sh', args: ['-c', `${told}${script}`], cwd: folder, ...limits });
    await rm(folder, { recursive: true });
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(new RegExp(`^${expected}\\b`, 'm')) });
  });
});
