import { cp } from 'node:fs/promises';
import path from 'node:path';
import { buildApplication, compileProject, generatePrisma, projectsFolder } from '../harness/index.mjs';
import { PREPARED } from './prepared.mjs';

const APPS = path.join(import.meta.dirname, 'apps');

/** Builds the applications of fw and of Nest anew, as their users build them. */
export async function prepare() {
  await projectsFolder(PREPARED);
  await buildApplication(path.join(APPS, 'fw'), path.join(PREPARED, 'fw'));
  const nest = path.join(PREPARED, 'nest');
  await cp(path.join(APPS, 'nest'), nest, { recursive: true });
  generatePrisma(path.join(nest, 'prisma/schema.prisma'));
  compileProject(nest);
}
