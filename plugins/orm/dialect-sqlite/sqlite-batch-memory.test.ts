import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { runProcess } from '../../../kernel/process/index.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';

const ROWS = 100_000;
const WARM_UP_ROWS = 2000;
const MOST_MIB = 64;

describe('the memory of createBatch', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-batch-'));
    // Within the project, so that the program finds the driver.
    program = path.resolve('node_modules/.cache', path.basename(folder), 'batch-memory.mjs');
    await build({
      entryPoints: ['plugins/orm/dialect-sqlite/testing/batch-memory.ts'],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      outfile: program,
    });
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await rm(path.dirname(program), { recursive: true });
  });

  const grown = async (how: 'generator' | 'array') => {
    const result = await runProcess({
      command: process.execPath,
      // How far the young generation grows before it is collected differs from one release to the next, and with the load.
      args: ['--max-semi-space-size=4', program, path.join(folder, `${how}.db`), String(ROWS), how],
      cwd: folder,
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 100_000,
    });
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    const { grownMiB, ...counts } = JSON.parse(result.stdout) as { grownMiB: number; written: number; stored: number };
    expect(counts).toEqual({ written: ROWS, stored: ROWS + WARM_UP_ROWS });
    return grownMiB;
  };

  test('100,000 rows of a generator need no more than 64 MiB, which the same rows in an array exceed', async () => {
    expect(await grown('generator')).toBeLessThan(MOST_MIB);
    // What keeps every row is seen by this measure.
    expect(await grown('array')).toBeGreaterThan(MOST_MIB);
  });
});
