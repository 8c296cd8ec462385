import path from 'node:path';
import { build } from 'esbuild';

// Loaded by Nest only where they are installed.
const OPTIONAL = [
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  'class-transformer',
  'class-transformer/*',
  'class-validator',
];

const BANNER =
  "import { createRequire as __benchRequire } from 'node:module'; const require = __benchRequire(import.meta.url);";

/**
 * Bundles a peer's server the way the product's own build bundles the product, because a user of the peer could do that too.
 *
 * @param {string} file
 * @param {string} folder - of the output
 * @returns {Promise<string>} the bundle
 */
export async function bundled(file, folder) {
  const outfile = path.join(folder, path.basename(file));
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    external: OPTIONAL,
    banner: { js: BANNER },
    logLevel: 'error',
  });
  return outfile;
}
