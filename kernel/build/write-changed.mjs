import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Writes a file of a build. A process may be running from dist/: the file is replaced atomically, and only when its contents changed.
 *
 * @param file - absolute path
 * @param contents - text or bytes
 */
export async function writeChanged(file, contents) {
  const bytes = Buffer.from(contents);
  const before = await readFile(file).catch(() => undefined);
  if (before?.equals(bytes)) return;
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}.new`;
  await writeFile(fresh, bytes, { mode: bytes.subarray(0, 2).toString() === '#!' ? 0o755 : 0o644 });
  await rename(fresh, file);
}
