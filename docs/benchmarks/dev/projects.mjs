import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeProject, modelFile, modelText } from '../codegen/make-project.mjs';
import { PRODUCT_ROOT } from '../harness/index.mjs';

const PEERS = path.join(import.meta.dirname, '../node_modules');

/**
 * An application in a folder of its own that answers what its sources say.
 *
 * @typedef {object} Project
 * @property {string} folder
 * @property {readonly string[]} args - of Node; its watching process
 * @property {(version: number) => Promise<void>} save - writes sources whose answer is `{ "version": version }`
 */

/**
 * A project of fw with models, each in a table of its own in SQLite, and a route.
 *
 * @param {string} folder
 * @param {number} models
 * @param {'route' | 'model'} edited
 * @returns {Promise<Project>}
 */
export async function fwProject(folder, models, edited) {
  await makeProject(folder, models);
  const write = writer(folder);
  await write('app.config.ts', FW_CONFIG);
  // What the generated module of a model says is in the answer, so that an edited model has been through the generators.
  const answers = (/** @type {string} */ version) =>
    `import { definePlugin, HttpRoutes } from 'fw';
import { routes } from 'fw/http';
import { item0 } from '../generated/item0.js';

const version = ${version};

export default definePlugin({
  id: 'version',
  category: 'app',
  description: 'Answers what its sources say.',
  needs: ['http'],
  register: ({ contribute }) => contribute(HttpRoutes, () => routes((router) => void router.get('/', () => ({ version })), 'version')),
});
`;
  const property = (/** @type {number} */ version) =>
    `\n  @db('version${version},nullable')\n  version${version}!: Int | null;\n`;
  const model = (/** @type {number} */ version) => modelText(0, models, property(version));
  const ofModel = "Number(Object.keys(item0).find((name) => name.startsWith('version'))?.slice('version'.length))";
  const save = (/** @type {number} */ version) =>
    edited === 'model'
      ? write(modelFile(0), model(version))
      : write('app/version.ts', answers(`item0.id ? ${version} : 0`));
  await write('app/version.ts', answers(edited === 'model' ? ofModel : '0'));
  await save(0);
  return { folder, args: [path.join(PRODUCT_ROOT, 'dist/kernel/bin/fw.js'), 'dev'], save };
}

/** A project of Fastify. @type {(folder: string, args: readonly string[]) => Promise<Project>} */
export async function fastifyProject(folder, args) {
  const write = writer(folder);
  const save = (/** @type {number} */ version) => write('routes.ts', `export const version: number = ${version};\n`);
  await mkdir(folder, { recursive: true });
  await symlink(PEERS, path.join(folder, 'node_modules'), 'dir');
  await write('package.json', '{ "type": "module" }\n');
  await write('server.ts', FASTIFY);
  await save(0);
  return { folder, args, save };
}

/** A project of Nest on Fastify, as its own command line watches it. @type {(folder: string) => Promise<Project>} */
export async function nestProject(folder) {
  const write = writer(folder);
  const save = (/** @type {number} */ version) => write('src/version.controller.ts', nestController(version));
  await mkdir(path.join(folder, 'src'), { recursive: true });
  await symlink(PEERS, path.join(folder, 'node_modules'), 'dir');
  await write('package.json', '{ "type": "module" }\n');
  await write('nest-cli.json', '{ "sourceRoot": "src" }\n');
  await write('tsconfig.json', JSON.stringify(NEST_TSCONFIG));
  await write('src/main.ts', NEST_MAIN);
  await save(0);
  return { folder, args: [path.join(PEERS, '@nestjs/cli/bin/nest.js'), 'start', '--watch'], save };
}

/** Where tsx has its command. */
export const TSX = path.join(PEERS, 'tsx/dist/cli.mjs');

/** @type {(folder: string) => (file: string, text: string) => Promise<void>} */
const writer = (folder) => (file, text) => writeFile(path.join(folder, file), text);

const FW_CONFIG = `import { defineApp, plugin } from 'fw';

export default defineApp({
  name: 'dev',
  models: ['app/models/*.ts'],
  generated: () => import('./generated/index.js'),
  plugins: [
    plugin(() => import('fw/http'), { port: Number(process.env.PORT) }),
    plugin(() => import('fw/orm'), { driver: 'sqlite', file: 'dev.sqlite', schema: 'sync-dev' }),
    plugin(() => import('./app/version.js')),
  ],
});
`;

const FASTIFY = `import Fastify from 'fastify';
import { version } from './routes.ts';

const app = Fastify();
app.get('/', () => ({ version }));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
`;

const NEST_MAIN = `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { VersionController } from './version.controller.js';

@Module({ controllers: [VersionController] })
class AppModule {}

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
`;

/** @param {number} version */
const nestController = (version) => `import { Controller, Get } from '@nestjs/common';

@Controller()
export class VersionController {
  @Get()
  version() {
    return { version: ${version} };
  }
}
`;

const NEST_TSCONFIG = {
  compilerOptions: {
    ...{ target: 'ES2023', module: 'nodenext', rootDir: './src', outDir: './dist', incremental: true, strict: true },
    ...{ experimentalDecorators: true, emitDecoratorMetadata: true, skipLibCheck: true, types: ['node'] },
  },
  include: ['src'],
};
