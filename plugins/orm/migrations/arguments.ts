import { fwError } from '../../../kernel/index.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { ColumnRename } from '../schema/renames.js';
import type { Resolution } from './migration.js';

/** Options of `fw migrate`, as its command line gives them. */
export interface MigrateOptions {
  readonly name?: string;
  readonly as?: string;
  readonly lockTimeout?: string;
  readonly rename?: readonly string[];
  readonly code?: boolean;
  readonly concurrently?: boolean;
  readonly notValid?: boolean;
  readonly dropTables?: boolean;
  readonly dryRun?: boolean;
}

/** What `fw migrate` is asked to do. */
export type MigrateRequest =
  | ({ readonly subcommand: 'up' | 'down' } & RunRequest)
  | { readonly subcommand: 'status' }
  | ({ readonly subcommand: 'diff' } & DiffRequest)
  | ({ readonly subcommand: 'new' } & NewRequest)
  | { readonly subcommand: 'baseline'; readonly name: string; readonly version: string | undefined }
  | { readonly subcommand: 'resolve'; readonly version: string; readonly as: Resolution };

/** What `fw migrate up` and `fw migrate down` are asked to do. */
export interface RunRequest {
  readonly count: number | undefined;
  /** Milliseconds. */
  readonly lockTimeout: number | undefined;
}

/** What `fw migrate new` is asked to do. */
export interface NewRequest {
  readonly name: string;
  /** Whether it is a module, and not SQL. */
  readonly code: boolean;
}

/** What `fw migrate diff` is asked to do. */
export interface DiffRequest {
  readonly name: string;
  readonly dropTables: boolean;
  readonly renames: readonly ColumnRename[];
  readonly concurrently: boolean;
  readonly notValid: boolean;
  /** Whether nothing is written. */
  readonly dryRun: boolean;
}

/** The options that each subcommand takes. */
const TAKEN: Readonly<Record<MigrateRequest['subcommand'], readonly (keyof MigrateOptions)[]>> = {
  up: ['lockTimeout'],
  down: ['lockTimeout'],
  status: [],
  diff: ['name', 'rename', 'concurrently', 'notValid', 'dropTables', 'dryRun'],
  new: ['code'],
  baseline: ['name'],
  resolve: ['as'],
};

/**
 * Reads the arguments of `fw migrate`.
 *
 * @param words - the subcommand, then its own arguments
 * @throws FwError `FW_MIGRATE_USAGE`
 */
export function migrateRequest([given = '', ...words]: readonly string[], options: MigrateOptions): MigrateRequest {
  if (given === '') throw usage('a subcommand is missing');
  if (!isSubcommand(given)) throw usage(`unknown subcommand "${given}"`);
  refuseOthers(given, options);
  switch (given) {
    case 'up':
    case 'down':
      return { subcommand: given, ...runOf(given, words, options) };
    case 'status':
      if (words.length > 0) throw usage(`status takes no argument, got "${words.join(' ')}"`);
      return { subcommand: given };
    case 'diff':
      return { subcommand: given, ...differenceOf(words, options) };
    case 'new':
      return { subcommand: given, ...newOf(words, options) };
    case 'baseline':
      return { subcommand: given, ...baselineOf(words, options) };
    case 'resolve':
      return { subcommand: given, ...resolutionOf(words, options) };
  }
}

const isSubcommand = (word: string): word is MigrateRequest['subcommand'] => Object.hasOwn(TAKEN, word);

function refuseOthers(subcommand: MigrateRequest['subcommand'], options: MigrateOptions): void {
  const taken = TAKEN[subcommand];
  const other = OPTIONS.find((name) => options[name] !== undefined && !taken.includes(name));
  if (other === undefined) return;
  const list = taken.length === 0 ? 'no option of its own' : taken.map(flagOf).join(', ');
  throw usage(`${subcommand} takes ${list}, got ${flagOf(other)}`);
}

const OPTIONS = [...new Set(Object.values(TAKEN).flat())];

const flagOf = (option: string): string => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function runOf(subcommand: string, words: readonly string[], { lockTimeout }: MigrateOptions): RunRequest {
  if (lockTimeout !== undefined && !/^[1-9]\d{0,8}$/.test(lockTimeout))
    throw usage(`--lock-timeout takes milliseconds, 1 or more, got "${lockTimeout}"`);
  return {
    count: countOf(subcommand, words),
    lockTimeout: lockTimeout === undefined ? undefined : Number(lockTimeout),
  };
}

function countOf(subcommand: string, words: readonly string[]): number | undefined {
  const [given] = words;
  if (given === undefined) return undefined;
  if (words.length === 1 && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw usage(`${subcommand} takes a number of migrations, 1 or more, got "${words.join(' ')}"`);
}

function differenceOf(words: readonly string[], options: MigrateOptions): DiffRequest {
  if (words.length > 0)
    throw usage(
      `diff takes --name <name>, --rename <old>=<new>, --concurrently, --not-valid, --drop-tables and --dry-run, got "${words[0]}"`,
    );
  const { name = 'changes', rename = [], dropTables = false, concurrently = false } = options;
  const { notValid = false, dryRun = false } = options;
  return { name, dropTables, concurrently, notValid, dryRun, renames: rename.map(renameOf) };
}

// A table of another schema has a point in its name.
function renameOf(given: string): ColumnRename {
  const [, table, from = '', to = ''] = /^(?:(.+)\.)?([^.=]+)=(?:.+\.)?([^.=]+)$/.exec(given) ?? [];
  if (from === '') throw usage(`--rename takes <table>.<old name>=<new name>, got "${given}"`);
  return { from, to, ...(table !== undefined && { table }) };
}

function baselineOf(words: readonly string[], { name = 'baseline' }: MigrateOptions) {
  const [version, ...further] = words;
  if (further.length > 0 || (version !== undefined && !/^\d+$/.test(version)))
    throw usage(`baseline takes one version at most, and --name <name>, got "${words.join(' ')}"`);
  return { version, name };
}

const RESOLUTIONS: readonly string[] = ['done', 'undone', 'applied', 'rolled-back'] satisfies Resolution[];

function resolutionOf(words: readonly string[], { as = '' }: MigrateOptions) {
  const [version, ...further] = words;
  if (version === undefined || further.length > 0 || !RESOLUTIONS.includes(as))
    throw usage(`resolve takes a version and --as ${RESOLUTIONS.join('|')}, got "${words.join(' ')}"`);
  return { version, as: as as Resolution };
}

function newOf(words: readonly string[], { code = false }: MigrateOptions): NewRequest {
  const [name = ''] = words;
  if (name === '') throw usage('new needs a name');
  if (words.length > 1) throw usage(`new takes one name, got "${words.join(' ')}"; put one of several words in quotes`);
  return { name, code };
}

/** The error for arguments that are not what a subcommand takes. */
export function usage(problem: string) {
  return fwError(MIGRATION_ERRORS.FW_MIGRATE_USAGE, { problem });
}
