import { fwError } from '../../../kernel/index.js';
import { MIGRATION_ERRORS } from './errors.js';
import type { ColumnRename } from '../schema/renames.js';
import type { Resolution } from './migration.js';

/** What `fw migrate` is asked to do. */
export type MigrateArguments =
  | ({ readonly subcommand: 'up' | 'down' } & RunArguments)
  | { readonly subcommand: 'status' }
  | ({ readonly subcommand: 'diff' } & DiffArguments)
  | ({ readonly subcommand: 'new' } & NewArguments)
  | { readonly subcommand: 'baseline'; readonly name: string; readonly version: string | undefined }
  | { readonly subcommand: 'resolve'; readonly version: string; readonly as: Resolution };

/** What `fw migrate up` and `fw migrate down` are asked to do. */
export interface RunArguments {
  readonly count: number | undefined;
  /** Milliseconds. */
  readonly lockTimeout: number | undefined;
}

/** What `fw migrate new` is asked to do. */
export interface NewArguments {
  readonly name: string;
  /** Whether it is a module, and not SQL. */
  readonly code: boolean;
}

/** What `fw migrate diff` is asked to do. */
export interface DiffArguments {
  readonly name: string;
  readonly dropTables: boolean;
  readonly renames: readonly ColumnRename[];
  readonly concurrently: boolean;
  readonly notValid: boolean;
  /** Whether nothing is written. */
  readonly dryRun: boolean;
}

/**
 * Reads the arguments of `fw migrate`: the subcommand, then its own.
 *
 * @throws FwError `FW_MIGRATE_USAGE`
 */
export function migrateArguments([subcommand = '', ...rest]: readonly string[]): MigrateArguments {
  switch (subcommand) {
    case 'up':
    case 'down':
      return { subcommand, ...runIn(subcommand, rest) };
    case 'status':
      if (rest.length > 0) throw usage(`status takes no argument, got "${rest.join(' ')}"`);
      return { subcommand };
    case 'diff':
      return { subcommand, ...differenceIn(rest) };
    case 'new':
      return { subcommand, ...newIn(rest) };
    case 'baseline':
      return { subcommand, ...baselineIn(rest) };
    case 'resolve':
      return { subcommand, ...resolutionIn(rest) };
    case '':
      throw usage('a subcommand is missing');
    default:
      throw usage(`unknown subcommand "${subcommand}"`);
  }
}

function runIn(subcommand: string, rest: readonly string[]): RunArguments {
  const { words, values } = optionsIn(rest, ['--lock-timeout']);
  const limit = values.get('--lock-timeout')?.at(-1);
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    throw usage(`--lock-timeout takes milliseconds, 1 or more, got "${limit}"`);
  return { count: countIn(subcommand, words), lockTimeout: limit === undefined ? undefined : Number(limit) };
}

function countIn(subcommand: string, rest: readonly string[]): number | undefined {
  const [given] = rest;
  if (given === undefined) return undefined;
  if (rest.length === 1 && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw usage(`${subcommand} takes a number of migrations, 1 or more, got "${rest.join(' ')}"`);
}

function differenceIn(rest: readonly string[]): DiffArguments {
  const { words, values, flags } = optionsIn(
    rest,
    ['--name', '--rename'],
    ['--drop-tables', '--concurrently', '--not-valid', '--dry-run'],
  );
  if (words.length > 0)
    throw usage(
      `diff takes --name <name>, --rename <old>=<new>, --concurrently, --not-valid, --drop-tables and --dry-run, got "${words[0]}"`,
    );
  return {
    name: values.get('--name')?.at(-1) ?? 'changes',
    dropTables: flags.has('--drop-tables'),
    concurrently: flags.has('--concurrently'),
    notValid: flags.has('--not-valid'),
    dryRun: flags.has('--dry-run'),
    renames: (values.get('--rename') ?? []).map(renameIn),
  };
}

// A table of another schema has a point in its name.
function renameIn(given: string): ColumnRename {
  const [, table, from = '', to = ''] = /^(?:(.+)\.)?([^.=]+)=(?:.+\.)?([^.=]+)$/.exec(given) ?? [];
  if (from === '') throw usage(`--rename takes <table>.<old name>=<new name>, got "${given}"`);
  return { from, to, ...(table !== undefined && { table }) };
}

interface Given {
  /** What is no option, and options that are not known. */
  readonly words: readonly string[];
  /** Values of options, each with all that were given. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
}

// `--name value` and `--name=value`.
function optionsIn(rest: readonly string[], withValue: readonly string[], alone: readonly string[] = []): Given {
  const words: string[] = [];
  const values = new Map<string, string[]>();
  const flags = new Set<string>();
  for (let at = 0; at < rest.length; at++) {
    const given = rest[at] as string;
    const [, inlineName = '', inline] = /^(--[\w-]+)=(.*)$/s.exec(given) ?? [];
    const [name, value] = inline === undefined ? [given, rest[at + 1]] : [inlineName, inline];
    if (withValue.includes(name) && value !== undefined) {
      values.set(name, [...(values.get(name) ?? []), value]);
      if (inline === undefined) at++;
    } else if (alone.includes(given)) flags.add(given);
    else words.push(given);
  }
  return { words, values, flags };
}

function baselineIn(rest: readonly string[]): { readonly name: string; readonly version: string | undefined } {
  const { words, values } = optionsIn(rest, ['--name']);
  const [version, ...further] = words;
  if (further.length > 0 || (version !== undefined && !/^\d+$/.test(version)))
    throw usage(`baseline takes one version at most, and --name <name>, got "${rest.join(' ')}"`);
  return { version, name: values.get('--name')?.at(-1) ?? 'baseline' };
}

const RESOLUTIONS: readonly string[] = ['done', 'undone', 'applied', 'rolled-back'] satisfies Resolution[];

function resolutionIn(rest: readonly string[]): { readonly version: string; readonly as: Resolution } {
  const { words, values } = optionsIn(rest, ['--as']);
  const [version, ...further] = words;
  const as = values.get('--as')?.at(-1) ?? '';
  if (version === undefined || further.length > 0 || !RESOLUTIONS.includes(as))
    throw usage(`resolve takes a version and --as ${RESOLUTIONS.join('|')}, got "${rest.join(' ')}"`);
  return { version, as: as as Resolution };
}

function newIn(rest: readonly string[]): NewArguments {
  const { words, flags } = optionsIn(rest, [], ['--code']);
  const [name = ''] = words;
  if (name === '') throw usage('new needs a name');
  if (words.length > 1) throw usage(`new takes one name, got "${words.join(' ')}"; put one of several words in quotes`);
  return { name, code: flags.has('--code') };
}

/** The error for arguments that are not what a subcommand takes. */
export function usage(problem: string) {
  return fwError(MIGRATION_ERRORS.FW_MIGRATE_USAGE, { problem });
}
