import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

/**
 * The sources that a built module and everything that it imports were made of; what it imports only when it gets there
 * (`import()`, `require`) is left out.
 *
 * @param file - below dist/
 */
export async function loadedSources(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: path.dirname(file),
    entryPoints: [file],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'never-written',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const reached = new Set([path.basename(file)]);
  // The set grows while the loop walks it.
  for (const input of reached) {
    for (const { path: to, kind, external } of metafile.inputs[input]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) reached.add(to);
    }
  }
  const maps = await Promise.all([...reached].map((input) => sourcesOf(path.join(path.dirname(file), input))));
  return [...new Set(maps.flat())];
}

async function sourcesOf(file: string): Promise<readonly string[]> {
  const { sources } = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { readonly sources: readonly string[] };
  return sources.map((source) => path.resolve(path.dirname(file), source));
}
