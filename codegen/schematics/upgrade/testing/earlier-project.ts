import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import Driver from 'better-sqlite3';

const HERE = import.meta.dirname;
const ROWS = 'rows.sql';

/** Names of the test projects that earlier releases made. */
export const earlierProjects = async (): Promise<readonly string[]> =>
  (await readdir(HERE)).filter((file) => file.endsWith('.txt')).map((file) => path.basename(file, '.txt'));

/**
 * Writes a project as an earlier release made it, with a tarball in its vendor/ and rows in its database.
 *
 * @param folder - exists
 */
export async function writeEarlierProject(name: string, folder: string): Promise<void> {
  const [, ...sections] = (await readFile(path.join(HERE, `${name}.txt`), 'utf8')).split(/^=== /m);
  const files = new Map(
    sections.map((text) => [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)]),
  );
  const rows = files.get(ROWS) ?? '';
  files.delete(ROWS);
  for (const [file, text] of files.set('vendor/fw-0.1.0.tgz', 'the earlier release')) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  await mkdir(path.join(folder, '.fw'));
  const database = new Driver(path.join(folder, '.fw/app.sqlite'));
  database.exec(rows);
  database.close();
}
