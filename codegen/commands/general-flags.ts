import { freeFlags, switchesBehind } from './free-flags.js';

/** A flag of a command whose flags depend on its first argument. */
export interface CommandFlag {
  readonly name: string;
  readonly type: string;
  readonly usage: string;
}

const DRY_RUN: CommandFlag = { name: 'dry-run', type: 'boolean', usage: 'print what would be written' };
const JSON_FLAG: CommandFlag = { name: 'json', type: 'boolean', usage: 'print the result as JSON' };

/** Flags of `fw generate` and `fw add`, whatever the first argument. */
export const GENERAL: readonly CommandFlag[] = [DRY_RUN, JSON_FLAG];
/** Flag of `fw add`, whatever the feature. */
export const REPLACE: CommandFlag = { name: 'force', type: 'boolean', usage: 'replace the options that are there' };

const SWITCHES = [REPLACE, ...GENERAL].map(({ name }) => name);

/** The arguments, beginning with the first word, which says which flags there are; general switches may stand before it. */
export const firstWordFirst = (args: readonly string[]): readonly string[] => switchesBehind(args, SWITCHES);

/** Whether arguments ask for JSON. */
export const asksForJson = (args: readonly string[]): boolean => args.includes(`--${JSON_FLAG.name}`);

/** How a command is to tell what it does, or would do. */
export interface Telling {
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** What stands behind the first word. */
interface Separated extends Telling {
  readonly words: readonly string[];
  /** Without the general ones. */
  readonly flags: Readonly<Record<string, string | boolean>>;
}

/**
 * Separates words, the general flags and others.
 *
 * @param own - the flags that the first word has
 */
export function separated(args: readonly string[], own: readonly Pick<CommandFlag, 'name' | 'type'>[]): Separated {
  const known = [...GENERAL, ...own];
  const { words, flags } = freeFlags(args, (name) => known.find((flag) => flag.name === name)?.type === 'boolean');
  const { [DRY_RUN.name]: dryRun = false, [JSON_FLAG.name]: _json, ...rest } = flags;
  return { words, flags: rest, dryRun: dryRun === true, json: asksForJson(args) };
}

/** Flags as a table of help has them, a row each. */
export const flagRows = (flags: readonly Pick<CommandFlag, 'name' | 'usage'>[], width: number): readonly string[] =>
  flags.map(({ name, usage }) => `  --${name.padEnd(width)}${usage}`);
