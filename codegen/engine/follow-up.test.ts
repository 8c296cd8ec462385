import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ChangeSet } from '../../kernel/fs/index.js';
import { commitAndGenerate } from './follow-up.js';
import { RunCache } from './run-cache.js';

let project: string;
beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'fw-follow-'));
});
afterAll(() => rm(project, { recursive: true }));

describe('code generation behind a write', () => {
  test('that fails says which files stand; where nothing was written it fails as itself', async () => {
    const full = new Error('Nothing was changed: the disk is full');
    const generate = () => Promise.reject(full);
    const changes = await ChangeSet.open(project);
    await changes.write('a.ts', 'a');
    await expect(commitAndGenerate(changes, generate)).rejects.toMatchObject({
      code: 'FW_CODEGEN_AFTER_WRITE',
      message: expect.stringMatching(/^These were written and stand: a\.ts\. .* failed: Nothing was changed: the disk/),
    });
    expect(await readFile(path.join(project, 'a.ts'), 'utf8')).toBe('a');
    await expect(commitAndGenerate(await ChangeSet.open(project), generate)).rejects.toBe(full);
  });

  test('is not failed by a memory that cannot be written, or by a source that has gone', async () => {
    const config = { models: [], routes: [], outDir: path.join(project, 'generated') };
    const run = { config, inputs: [], missing: [], notes: [] } as unknown as Parameters<RunCache['remember']>[0];
    const cache = new RunCache(project, path.join(project, 'app.config.ts'), 'code');
    await mkdir(path.join(project, 'node_modules'));
    await mkdir(config.outDir);
    await cache.remember({ ...run, inputs: [path.join(project, 'gone.ts')] });
    // Like a file system that is mounted read-only: no folder can be made there.
    await writeFile(path.join(project, 'node_modules', '.cache'), '');
    await cache.remember(run);
    expect(await readFile(path.join(project, 'node_modules', '.cache'), 'utf8')).toBe('');
  });
});
