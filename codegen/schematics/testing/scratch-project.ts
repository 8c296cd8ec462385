import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChangeSet } from '../../../kernel/fs/index.js';
import { contextOver, type DocumentInput, regenerated, writeProject } from '../index.js';

/** A project on disk, as `fw new` writes it, without the framework in vendor/ and without anything installed. */
export interface ScratchProject {
  readonly root: string;
  remove(): Promise<void>;
}

/** Writes a project into a temporary folder. */
export async function scratchProject(
  template: 'api' | 'minimal' = 'api',
  document: DocumentInput = {},
): Promise<ScratchProject> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-scratch-')));
  const changes = await ChangeSet.open(folder);
  await writeProject(
    { name: 'scratch', template, document },
    { name: 'fw.tgz', bytes: Buffer.alloc(0) },
    contextOver(changes, () => undefined),
  );
  await changes.commit();
  await regenerated(folder);
  return { root: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
