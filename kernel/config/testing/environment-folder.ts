import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';

/** Gives each test of a file a folder for `.env` files, and takes away the variables that it set. @returns the folder of the current test */
export function environmentFolder(): () => string {
  let folder: string;
  let before: NodeJS.ProcessEnv;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'fw-env-'));
    before = { ...process.env };
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  });
  return () => folder;
}
