import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { newProject } from './index.js';

test.each([{ client: 'nope' }, { driver: 'nope' }, { template: 'nope' }])(
  'what there is not is said before the framework is packed: %j',
  async (asked) => {
    const parent = await mkdtemp(path.join(tmpdir(), 'fw-new-'));
    const done: string[] = [];
    const made = newProject(
      { name: 'shop', ...asked },
      { parent, log: () => undefined, doing: (phase) => done.push(phase) },
    );
    await expect(made).rejects.toThrow(/nope/);
    expect([done, await readdir(parent)]).toEqual([[], []]);
    await rm(parent, { recursive: true });
  },
);
