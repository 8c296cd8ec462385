// What has to be built before anything is timed: the models of fw (generated and compiled as in an application) and Prisma's clients.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PRODUCT_ROOT } from '../harness/index.mjs';
import { PREPARED } from './prepared.mjs';

const HERE = import.meta.dirname;
const require = createRequire(import.meta.url);

/** Prisma's providers by engine. */
const PROVIDERS = { sqlite: 'sqlite', postgres: 'postgresql', mariadb: 'mysql' };

/** Builds everything anew. */
export async function prepare() {
  await rm(PREPARED, { recursive: true, force: true });
  await mkdir(path.join(PREPARED, 'node_modules'), { recursive: true });
  await symlink(PRODUCT_ROOT, path.join(PREPARED, 'node_modules/fw'));
  const { build } = /** @type {typeof import('esbuild')} */ (
    await import(path.join(PRODUCT_ROOT, 'node_modules/esbuild/lib/main.js'))
  );
  await prepareModels();
  for (const [engine, provider] of Object.entries(PROVIDERS)) await preparePrisma(build, engine, provider);
}

// An application of fw as its users build one.
async function prepareModels() {
  const project = path.join(PREPARED, 'fw-app');
  await cp(path.join(HERE, 'fw-app'), project, { recursive: true });
  await writeFile(path.join(project, 'package.json'), '{ "type": "module" }\n');
  const fw = path.join(PRODUCT_ROOT, 'dist/kernel/bin/fw.js');
  run([fw, 'codegen'], project);
  // A checkout is built without declarations, and types are not measured.
  run([fw, 'build', '--no-check'], project);
}

/**
 * @param {typeof import('esbuild').build} build
 * @param {string} engine
 * @param {string} provider
 */
async function preparePrisma(build, engine, provider) {
  const folder = path.join(PREPARED, 'prisma', engine);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'schema.prisma'), prismaSchema(provider));
  // Generation asks for a schema engine that it does not use and that is no npm package; any executable will do.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
  const cli = path.join(path.dirname(require.resolve('prisma/package.json')), 'build/index.js');
  run([cli, 'generate', '--schema', path.join(folder, 'schema.prisma')], folder, env);
  await build({
    entryPoints: [path.join(folder, 'client/client.ts')],
    outfile: path.join(PREPARED, `prisma-${engine}.mjs`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
}

/** @param {string} provider */
const prismaSchema = (provider) => `
generator client {
  provider = "prisma-client"
  output   = "./client"
}
datasource db {
  provider = "${provider}"
}
model User {
  id         Int      @id @default(autoincrement())
  email      String
  name       String
  active     Boolean
  age        Int
  score      Float
  bio        String?
  created_at DateTime ${provider === 'postgresql' ? '@db.Timestamptz(3)' : provider === 'mysql' ? '@db.DateTime(3)' : ''}
  posts      Post[]
  @@map("users")
}
model Post {
  id      Int    @id @default(autoincrement())
  user_id Int
  title   String
  views   Int
  user    User   @relation(fields: [user_id], references: [id])
  @@map("posts")
}
`;

/**
 * @param {readonly string[]} command
 * @param {string} cwd
 * @param {Readonly<Record<string, string>>} [env]
 */
function run(command, cwd, env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}
