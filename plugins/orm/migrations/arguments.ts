import { fwError } from '../../../kernel/index.js';
import { MIGRATION_ERRORS } from './errors.js';

/** What `fw migrate` is asked to do. */
export type MigrateArguments =
  | { readonly subcommand: 'up' | 'down'; readonly count: number | undefined }
  | { readonly subcommand: 'status' }
  | { readonly subcommand: 'diff'; readonly name: string; readonly dropTables: boolean }
  | { readonly subcommand: 'new'; readonly name: string };

/**
 * Reads the arguments of `fw migrate`: the subcommand, then its own.
 *
 * @throws FwError `FW_MIGRATE_USAGE`
 */
export function migrateArguments([subcommand = '', ...rest]: readonly string[]): MigrateArguments {
  switch (subcommand) {
    case 'up':
    case 'down':
      return { subcommand, count: countIn(subcommand, rest) };
    case 'status':
      if (rest.length > 0) throw usage(`status takes no argument, got "${rest.join(' ')}"`);
      return { subcommand };
    case 'diff':
      return { subcommand, ...differenceIn(rest) };
    case 'new':
      return { subcommand, name: nameIn(rest) };
    case '':
      throw usage('a subcommand is missing');
    default:
      throw usage(`unknown subcommand "${subcommand}"`);
  }
}

function countIn(subcommand: string, rest: readonly string[]): number | undefined {
  const [given] = rest;
  if (given === undefined) return undefined;
  if (rest.length === 1 && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw usage(`${subcommand} takes a number of migrations, 1 or more, got "${rest.join(' ')}"`);
}

function differenceIn(rest: readonly string[]): { readonly name: string; readonly dropTables: boolean } {
  let name = 'changes';
  let dropTables = false;
  for (let at = 0; at < rest.length; at++) {
    const given = rest[at] as string;
    const [, inline] = /^--name=(.*)$/s.exec(given) ?? [];
    if (inline !== undefined) name = inline;
    else if (given === '--drop-tables') dropTables = true;
    else if (given === '--name' && rest[at + 1] !== undefined) name = rest[++at] as string;
    else throw usage(`diff takes --name <name> and --drop-tables, got "${given}"`);
  }
  return { name, dropTables };
}

function nameIn(rest: readonly string[]): string {
  const [name = ''] = rest;
  if (name === '') throw usage('new needs a name');
  if (rest.length > 1) throw usage(`new takes one name, got "${rest.join(' ')}"; put one of several words in quotes`);
  return name;
}

/** The error for arguments that are not what a subcommand takes. */
export function usage(problem: string) {
  return fwError(MIGRATION_ERRORS.FW_MIGRATE_USAGE, { problem });
}
