import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../core/index.js';
import { introspect } from '../schema/introspect.js';
import { declarationsOf } from './declarations.js';

/** What `fw db pull` is given. */
export interface DbPullCommand {
  readonly db: Database;
  /** Folder that the declarations are written to. */
  readonly folder: string;
  /** Whether files that are there are overwritten. Default false. */
  readonly force?: boolean;
  /** Tables to leave out. Default: the version table of migrations. */
  readonly ignore?: readonly string[];
  readonly print: (line: string) => void;
}

/** Runs `fw db pull`: writes a model declaration per table. @returns the exit code */
export async function runDbPull({
  db,
  folder,
  force = false,
  ignore = ['schema_migrations'],
  print,
}: DbPullCommand): Promise<number> {
  const tables = (await introspect(db)).filter(({ name }) => !ignore.includes(name));
  if (tables.length === 0) {
    print('the database has no tables');
    return 0;
  }
  await mkdir(folder, { recursive: true });
  const pulled = declarationsOf(tables, db.dialect);
  let refused = 0;
  for (const { file, content, warnings } of pulled.models) {
    const written = await writeNew(join(folder, file), content, force);
    print(written ? `wrote ${file}` : `kept ${file}, which is there already; --force overwrites it`);
    if (!written) refused++;
    for (const warning of warnings) print(`warning: ${warning}`);
  }
  for (const warning of pulled.warnings) print(`warning: ${warning}`);
  const count = pulled.models.length - refused;
  if (count > 0) print(`${count} ${count === 1 ? 'model' : 'models'} written to ${folder}; run fw codegen next`);
  return refused > 0 ? 1 : 0;
}

async function writeNew(file: string, content: string, force: boolean): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: force ? 'w' : 'wx' });
    return true;
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'EEXIST') return false;
    throw error;
  }
}
