import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fwError } from '../../../kernel/index.js';
import { fwCommand } from '../../../kernel/invocation/index.js';
import { digest } from '../schema/names.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { Migration, MigrationStep, MoveStep } from './migration.js';
import { isInside } from '../../../kernel/values/index.js';

const SQL_FILE = /^(\d+)_([\w-]+)\.(up|down|seed)\.sql$/;
const CODE_FILE = /^(\d+)_([\w-]+)\.(?:[cm]?js|[cm]?ts)$/;

interface Parts {
  readonly name: string;
  up?: MigrationStep;
  down?: MigrationStep;
  seed?: MigrationStep;
  move?: MoveStep;
  scripts?: Partial<Record<'up' | 'down' | 'seed', string>>;
  checksum?: string;
  foreignKeys?: boolean;
}

const WITHOUT_FOREIGN_KEYS = /^\s*PRAGMA\s+foreign_keys\s*=\s*(?:OFF|0|FALSE)\s*;/im;

/** Digest of the text of a migration. */
export const checksumOf = (sql: string): string => digest(sql, 64);

/** Where else migrations are. */
export interface MigrationFiles {
  /** Folder with the migrations that `fw build` compiled from TypeScript; default: the one in `dist/` of the current folder. */
  readonly built?: string;
}

/** Output folder of `fw build` for a folder of the project; a folder outside of the project is returned unchanged. */
export function builtOf(root: string, folder: string): string {
  const whole = resolve(root, folder);
  return isInside(whole, root) ? join(root, 'dist', relative(root, whole)) : folder;
}

/**
 * Reads the migrations of a folder: `<version>_<name>.up.sql` with `.down.sql` and `.seed.sql` beside it, and modules
 * `<version>_<name>.ts` (or `.js`) that export `up`, `down`, `seed`, `move`. One in TypeScript is taken as `fw build` has compiled it.
 *
 * @throws FwError `FW_MIGRATE_FOLDER`, `FW_MIGRATE_FILE`
 */
export async function readMigrations(
  folder: string,
  { built = builtOf(process.cwd(), folder) }: MigrationFiles = {},
): Promise<readonly Migration[]> {
  const found = new Map<string, Parts>();
  for (const file of (await filesOf(folder)).sort()) await readOne({ folder, built }, file, found);
  return [...found].map(([version, parts]) => ({ version, ...parts }));
}

/**
 * Names of the migrations of a folder by version, read from the names of the files alone.
 *
 * @returns undefined where there is no such folder
 * @throws FwError `FW_MIGRATE_FILE`
 */
export async function migrationNames(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
  if (!existsSync(folder)) return undefined;
  return new Map((await filesOf(folder)).map((file) => partsOf(file)).map(({ version, name }) => [version, name]));
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => !file.startsWith('.') && !file.endsWith('.d.ts'));
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error;
    throw fwError(MIGRATION_ERRORS.FW_MIGRATE_FOLDER, { folder }, { cause: error });
  }
}

function partsOf(file: string) {
  const [, version = '', name = '', step] = SQL_FILE.exec(file) ?? CODE_FILE.exec(file) ?? [];
  if (version === '') throw bad(file, 'its name does not read <version>_<name>.up.sql, .down.sql, .seed.sql or .ts');
  return { version, name, step };
}

async function readOne(
  { folder, built }: { readonly folder: string; readonly built: string },
  file: string,
  found: Map<string, Parts>,
): Promise<void> {
  const { version, name, step } = partsOf(file);
  const parts = found.get(version) ?? { name };
  if (parts.name !== name) throw bad(file, `the version ${version} also belongs to ${parts.name}`);
  found.set(version, parts);
  if (step === undefined)
    Object.assign(parts, await stepsOf(compiledOf(join(folder, file), join(built, file), file), file));
  else {
    const sql = await readFile(join(folder, file), 'utf8');
    parts[step as 'up'] = (_context, tx) => tx.script(sql);
    parts.scripts = { ...parts.scripts, [step]: sql };
    if (WITHOUT_FOREIGN_KEYS.test(sql)) parts.foreignKeys = false;
    if (step === 'up') parts.checksum = checksumOf(sql);
  }
}

// Node runs TypeScript only in part, and not with decorators (https://nodejs.org/api/typescript.html).
function compiledOf(source: string, built: string, file: string): string {
  const [, stem, kind] = /^(.*)\.([cm]?)ts$/.exec(built) ?? [];
  if (stem === undefined) return source;
  const compiled = `${stem}.${kind}js`;
  if (!existsSync(compiled))
    throw bad(file, `it is TypeScript, and there is no ${compiled}; run ${fwCommand('build')}`);
  return compiled;
}

async function stepsOf(path: string, file: string): Promise<Omit<Parts, 'name'>> {
  const loaded = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const module = { ...(loaded['default'] as Record<string, unknown> | undefined), ...loaded };
  const steps: Omit<Parts, 'name'> = {};
  for (const step of ['up', 'down', 'seed', 'move'] as const) {
    if (module[step] === undefined) continue;
    if (typeof module[step] !== 'function') throw bad(file, `its export "${step}" is no function`);
    steps[step as 'up'] = module[step] as MigrationStep;
  }
  if (Object.keys(steps).length === 0) throw bad(file, 'it exports none of up, down, seed, move');
  if (module['foreignKeys'] === false) steps.foreignKeys = false;
  return steps;
}

function bad(file: string, problem: string) {
  return fwError(MIGRATION_ERRORS.FW_MIGRATE_FILE, { file, problem });
}
