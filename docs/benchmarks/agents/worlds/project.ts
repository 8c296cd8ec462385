import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scratchProject } from '../../../../codegen/schematics/testing/scratch-project.js';
import type { DocumentInput } from '../../../../codegen/schematics/index.js';

/** A project on disk that one task changes. */
export interface ProjectWorld {
  readonly root: string;
  /** Text of a file; empty when there is none. */
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** A project as `fw new` writes it, with models and features of a configuration. */
export async function projectWorld(document: DocumentInput = {}): Promise<ProjectWorld> {
  const project = await scratchProject('api', document);
  const at = (file: string) => path.join(project.root, file);
  return {
    root: project.root,
    read: (file) => readFile(at(file), 'utf8').catch(() => ''),
    write: (file, text) => writeFile(at(file), text),
    remove: () => project.remove(),
  };
}
