import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startFiles } from './app-files.js';

/** What a build of an application wrote, relative to `dist/`: the list that is kept there. */
export const OUTPUT_LIST = '.fw-build.json';

/**
 * Sources that are not what `dist/` was built of, relative to the project and sorted: they have changed, or have come since. Those that are
 * gone do not count: an application may be shipped without them.
 *
 * @param root - project folder
 */
export async function staleSources(root: string): Promise<readonly string[]> {
  const folder = path.join(root, 'dist');
  const { outputs = {} } = (await jsonOf<{ outputs?: object }>(path.join(folder, OUTPUT_LIST))) ?? {};
  const maps = Object.keys(outputs).filter((file) => file.endsWith('.map'));
  if (maps.length === 0) return [];
  const found = await Promise.all(maps.map((file) => changedSource(path.join(folder, file))));
  const changed = found.flatMap((file) => (file === undefined ? [] : [path.relative(root, file)]));
  const added = (await startFiles(root)).filter((file) => !Object.hasOwn(outputs, file.replace(/ts$/, 'js')));
  return [...changed, ...added].sort();
}

async function changedSource(file: string): Promise<string | undefined> {
  const { sources = [], sourcesContent = [] } = (await jsonOf<SourceMap>(file)) ?? {};
  const [source] = sources;
  if (source === undefined) return undefined;
  const at = path.resolve(path.dirname(file), source);
  const text = await textOf(at);
  return text === undefined || text === sourcesContent[0] ? undefined : at;
}

interface SourceMap {
  readonly sources?: readonly string[];
  readonly sourcesContent?: readonly string[];
}

// What is not there, or says nothing, was not built here.
async function jsonOf<Value>(file: string): Promise<Value | undefined> {
  const text = await textOf(file);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
