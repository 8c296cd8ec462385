import { existsSync } from 'node:fs';
import path from 'node:path';
import { OUTPUT_LIST } from '../config/index.js';
import { againOnConflict, type ChangeSet, changesIn, digestOf } from '../fs/index.js';

const VERSION = 1;

/** A file to write: an absolute path in `dist/`. */
export interface Output {
  readonly path: string;
  readonly contents: Uint8Array;
}

/** What builds wrote: SHA-256 by path, relative to the folder of the outputs, with forward slashes. */
export type Outputs = Readonly<Record<string, string>>;

/** Which outputs a build covers. */
interface OutputScope {
  /** Whether the build wrote all outputs of the application, and not only requested ones. */
  readonly isAll: boolean;
  /** Existing outputs that stay as they are: SHA-256 by path. */
  readonly kept?: Outputs;
}

/**
 * Writes outputs to `dist/`, and removes outputs of earlier builds that this one did not write; a build of some files removes only those
 * whose source is gone. A list beside the outputs has what builds wrote. A file that is not in the list, or has changed since, is taken for
 * somebody else's and stays.
 *
 * @param outputs - with absolute paths in `dist/`
 * @returns paths of the removed files, relative to the project, sorted
 */
export function writeOutputs(root: string, outputs: readonly Output[], scope: OutputScope): Promise<readonly string[]> {
  return againOnConflict(() => written(root, outputs, scope));
}

async function written(
  root: string,
  outputs: readonly Output[],
  { isAll, kept: standing = {} }: OutputScope,
): Promise<readonly string[]> {
  const outDir = path.join(root, 'dist');
  const { changes, folder } = await changesIn(root, outDir);
  const fresh = new Map(
    outputs.map(({ path: file, contents }) => [slashed(path.relative(outDir, file)), contents] as const),
  );
  const list = path.join(folder, OUTPUT_LIST);
  const before = await listed(changes, list);
  const old = Object.keys(before).filter(
    (file) => !fresh.has(file) && !Object.hasOwn(standing, file) && staysInside(file),
  );
  const gone = old.filter((file) => isAll || !hasSource(root, file));
  await Promise.all([...fresh].map(([file, contents]) => changes.write(path.join(folder, file), contents)));
  const removed = await asyncFilter(gone, (file) => removeOwn(changes, path.join(folder, file), before[file]));
  const kept = old.filter((file) => !gone.includes(file)).map((file) => [file, before[file]] as const);
  const digests = [...fresh].map(([file, contents]) => [file, digestOf(contents)] as const);
  await changes.write(
    list,
    listText(Object.fromEntries([...kept, ...Object.entries(standing), ...digests]) as Outputs),
  );
  await changes.commit({ onRecovered: ({ text }) => process.stderr.write(`${text}\n`) });
  return removed.map((file) => `dist/${file}`).sort();
}

const slashed = (file: string) => file.split(path.sep).join('/');

// The list is a file like any other, which somebody may have edited.
const staysInside = (file: string) => !/^\.\.(?:\/|$)/.test(path.posix.normalize(file)) && !path.posix.isAbsolute(file);

const hasSource = (root: string, output: string) => {
  const [, stem, kind] = /^(.*)\.([cm]?)js(?:\.map)?$/.exec(output) ?? [];
  return ['ts', 'tsx'].some((extension) => existsSync(path.join(root, `${stem}.${kind}${extension}`)));
};

async function removeOwn(changes: ChangeSet, file: string, digest: string | undefined): Promise<boolean> {
  const found = existsSync(file) ? await changes.read(file) : undefined;
  if (found === undefined || digestOf(found) !== digest) return false;
  await changes.delete(file);
  return true;
}

async function asyncFilter<Item>(items: readonly Item[], accepts: (item: Item) => Promise<boolean>): Promise<Item[]> {
  const accepted = await Promise.all(items.map(accepts));
  return items.filter((_, at) => accepted[at]);
}

const listText = (outputs: Outputs) => {
  const sorted = Object.entries(outputs).sort(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify({ version: VERSION, outputs: Object.fromEntries(sorted) }, null, 1)}\n`;
};

// Without a readable list nothing is known of earlier builds: no file is removed, and a complete list is written.
async function listed(changes: ChangeSet, file: string): Promise<Outputs> {
  const text = existsSync(file) ? await changes.readText(file) : undefined;
  if (text === undefined) return {};
  try {
    const { version, outputs } = JSON.parse(text) as { version?: unknown; outputs?: unknown };
    return version === VERSION && typeof outputs === 'object' && outputs !== null ? (outputs as Outputs) : {};
  } catch {
    return {};
  }
}
