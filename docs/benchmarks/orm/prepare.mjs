// What has to be built before anything is timed: the models of fw (generated and compiled as in an application) and Prisma's clients.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildApplication, generatePrisma, PRODUCT_ROOT, projectsFolder } from '../harness/index.mjs';
import { PREPARED } from './prepared.mjs';

/** Prisma's providers by engine. */
const PROVIDERS = { sqlite: 'sqlite', postgres: 'postgresql', mariadb: 'mysql' };

/** Builds everything anew. */
export async function prepare() {
  await projectsFolder(PREPARED);
  const { build } = /** @type {typeof import('esbuild')} */ (
    await import(path.join(PRODUCT_ROOT, 'node_modules/esbuild/lib/main.js'))
  );
  await buildApplication(path.join(import.meta.dirname, 'fw-app'), path.join(PREPARED, 'fw-app'));
  for (const [engine, provider] of Object.entries(PROVIDERS)) await preparePrisma(build, engine, provider);
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
  generatePrisma(path.join(folder, 'schema.prisma'));
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
