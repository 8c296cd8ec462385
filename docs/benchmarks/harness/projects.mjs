// What is built before it is measured: applications of fw, and Prisma's clients.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PRODUCT_ROOT } from './build-product.mjs';

const require = createRequire(import.meta.url);

/**
 * A new folder, from which the product and the peers are found.
 *
 * @param {string} folder - below that of the peers
 */
export async function projectsFolder(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'node_modules'), { recursive: true });
  await symlink(PRODUCT_ROOT, path.join(folder, 'node_modules/fw'));
}

/**
 * An application of fw, generated and compiled as its users build one.
 *
 * @param {string} source
 * @param {string} folder - a new one
 */
export async function buildApplication(source, folder) {
  await cp(source, folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }\n');
  const fw = path.join(PRODUCT_ROOT, 'dist/kernel/bin/fw.js');
  runNode([fw, 'codegen'], folder);
  // A checkout is built without declarations, and types are not measured.
  runNode([fw, 'build', '--no-check'], folder);
}

/**
 * Prisma's client, as TypeScript, where its schema says.
 *
 * @param {string} schema - file
 */
export function generatePrisma(schema) {
  // Generation asks for a schema engine that it does not use and that is no npm package; any executable will do.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
  const cli = path.join(path.dirname(require.resolve('prisma/package.json')), 'build/index.js');
  runNode([cli, 'generate', '--schema', schema], path.dirname(schema), env);
}

/**
 * A project of TypeScript with emitted metadata of its decorators, compiled as its own configuration says.
 *
 * @param {string} folder
 */
export function compileProject(folder) {
  runNode([require.resolve('typescript/lib/tsc.js'), '--project', folder, '--noCheck'], folder);
}

/**
 * @param {readonly string[]} command
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} [env]
 */
function runNode(command, cwd, env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
