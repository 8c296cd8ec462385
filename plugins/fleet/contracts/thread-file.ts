import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Built threads of this process, by source. */
const built = new Map<string, Promise<string>>();

/**
 * The file of the thread in which documents of other services are read: a part of the framework's package. Where the framework
 * runs from its sources, in its own tests, the file is bundled first.
 */
export function threadFile(): Promise<string> {
  const found = createRequire(import.meta.url).resolve('#contract-thread');
  if (!found.endsWith('.ts')) return Promise.resolve(found);
  let file = built.get(found);
  if (file === undefined) built.set(found, (file = bundled(found)));
  return file;
}

async function bundled(source: string): Promise<string> {
  const [{ build }, { createHash }] = await Promise.all([import('esbuild'), import('node:crypto')]);
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    write: false,
    logLevel: 'silent',
  });
  const text = outputFiles[0]?.text ?? '';
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  // Below the sources, because imports are resolved from there.
  const folder = path.join(
    path.dirname(createRequire(import.meta.url).resolve('ajv/package.json')),
    '../.cache/fw-thread',
  );
  const file = path.join(folder, `${name}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(`${file}.${process.pid}`, text);
  await rename(`${file}.${process.pid}`, file);
  return file;
}
