import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { runProcess } from '../process/index.js';
import { PATIENCE_MS } from '../testing/patience.js';

const FW = path.resolve(import.meta.dirname, '../../dist/kernel/bin/fw.js');

test('what fails in a built application is told at its place in the sources', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'fw-stacks-'));
  try {
    const source =
      'interface Shop {\n  readonly name: string;\n}\nfunction fail(deep: number): never {\n  if (deep > 0) fail(deep - 1);\n  throw new TypeError("no shop" as Shop["name"]);\n}\nfail(20);\n';
    await build({
      stdin: { contents: source, sourcefile: path.join(root, 'app.config.ts'), loader: 'ts' },
      outfile: path.join(root, 'dist/app.config.js'),
      format: 'esm',
      sourcemap: 'linked',
    });
    const limits = { timeoutMs: PATIENCE_MS, maxOutputBytes: 10_000 };
    const { exitCode, stderr } = await runProcess({
      command: process.execPath,
      args: [FW, 'start'],
      cwd: root,
      ...limits,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('TypeError: no shop') });
    expect(stderr).toMatch(/app\.config\.ts:6:9/);
    // Beyond the frames that Node keeps by itself.
    expect(stderr).toMatch(/app\.config\.ts:8:1\b/);
  } finally {
    await rm(root, { recursive: true });
  }
});
