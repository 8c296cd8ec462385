import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runProcess } from '../../kernel/process/index.js';
import { PATIENCE_MS } from '../../kernel/testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMMITTED = path.join(ROOT, 'docs/reference/dashboard-bundle.json');
const LIMIT_BYTES = 150 * 1024;
/** What may be added without saying so in the committed file. */
const GROWTH = 1.05;

type Sizes = Readonly<Record<string, { readonly bytes: number; readonly gzip: number }>>;

async function measured(): Promise<Sizes> {
  const { exitCode, stdout, stderr } = await runProcess({
    command: process.execPath,
    args: [path.join(ROOT, 'plugins/dashboard/bundle/bundle-ui.mjs'), '--sizes'],
    cwd: ROOT,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 100_000,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as Sizes;
}

test('the web UI stays within 150 KiB after gzip, and within what is committed', async () => {
  const sizes = await measured();
  if (process.env['FW_UPDATE_DOCS'] === '1') await writeFile(COMMITTED, `${JSON.stringify(sizes, null, 2)}\n`);
  const committed = JSON.parse(await readFile(COMMITTED, 'utf8')) as Sizes;
  expect(sizes['total']?.gzip).toBeLessThanOrEqual(LIMIT_BYTES);
  for (const [kind, { gzip }] of Object.entries(committed)) {
    expect({ kind, fits: (sizes[kind]?.gzip ?? 0) <= gzip * GROWTH }).toEqual({ kind, fits: true });
  }
  // A file of a new kind has to be committed too.
  expect(Object.keys(committed).sort()).toEqual(Object.keys(sizes).sort());
});
