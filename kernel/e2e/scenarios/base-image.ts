import { chmod, cp, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';

/** Runs a program, and gives what it printed. */
type Run = (command: string, args: readonly string[]) => Promise<string>;

/**
 * Makes the files of an image: the machine's own Node with its libraries and a shell, so that nothing is fetched.
 *
 * @param root - a folder that there is not yet
 */
export async function baseImageRoot(root: string, run: Run): Promise<void> {
  const programs = { [process.execPath]: '/usr/bin/node', [await realpath('/bin/sh')]: '/bin/sh' };
  for (const [from, to] of Object.entries(programs)) {
    const libraries = [...(await run('ldd', [from])).matchAll(/\/[^ )]+/g)].map(([file]) => file);
    await cp(from, path.join(root, to), { recursive: true });
    for (const library of libraries) await cp(await realpath(library), path.join(root, library), { recursive: true });
  }
  await mkdir(path.join(root, 'tmp'));
  // As everywhere, and whatever the umask: uploads are kept there for a while.
  await chmod(path.join(root, 'tmp'), 0o1777);
}
