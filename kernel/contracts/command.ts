/** Where a command prints: results on standard output, progress and errors on standard error. */
export interface CommandOutput {
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
}

/**
 * Runs work that may take long. After a second, standard error shows what is being done: on a terminal in one line that is rewritten and
 * removed at the end, elsewhere in a line for each phase; with `--json` or `--quiet` not at all.
 *
 * @param doing - describes the work: `reading the database`
 * @param work - gets a function that names the next phase. Work that blocks the event loop calls it now and then with the same
 *   words, because no timer fires meanwhile; `isLong` shows a phase at once
 * @returns what the work gives
 * @throws what the work throws
 *
 * @example await progress('reading the tables', async (next) => { const tables = await read(); next(`writing ${tables.length} models`);
 *   await write(tables); });
 */
export type Progress = <Result>(
  doing: string,
  work: (next: (doing: string, isLong?: boolean) => void) => Promise<Result>,
) => Promise<Result>;

/** Something that a word on the command line may become. */
export interface Candidate {
  readonly word: string;
  /** What it is, in a few words; empty for values. */
  readonly about: string;
}

/**
 * Gives the candidates for the last word of a command: the default export of the module that `completes` names. It runs whenever somebody
 * presses Tab, so it has to be quick; `fw` leaves out words that do not begin with the typed one.
 *
 * @example const complete: CommandCompletion = ({ words }) => (words.length === 1 ? [{ word: 'loud', about: 'with a loud voice' }] : []);
 *   export default complete;
 */
export type CommandCompletion = (typed: {
  /** The words after the name of the command, up to the cursor; the last one may be empty. */
  readonly words: readonly string[];
  /** The folder in which somebody types. */
  readonly cwd: string;
}) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** What a command is called with. */
export interface CommandCall<
  Options = Readonly<Record<string, unknown>>,
  Args extends readonly unknown[] = readonly (string | undefined)[],
> extends CommandOutput {
  /** Arguments, in the order of the manifest; a `[rest...]` is a list. With `ownFlags`, every word as it was typed. */
  readonly args: Args;
  /** Options by their long names in camel case: `--dry-run` is `dryRun`, `--no-check` is `check: false`. */
  readonly options: Options;
  /** The folder that the command was started in. */
  readonly cwd: string;
  /** For what may take longer than a second. */
  readonly progress: Progress;
}

/**
 * A command of `fw`: the default export of the module that a manifest names. It returns the exit code; nothing counts as 0.
 *
 * @example
 * const greet: CommandAction<{ json?: boolean }, [name: string]> = ({ args: [name], out }) => out(`Hello, ${name}!\n`);
 * export default greet;
 */
export type CommandAction<
  Options = Readonly<Record<string, unknown>>,
  Args extends readonly unknown[] = readonly (string | undefined)[],
> = (call: CommandCall<Options, Args>) => number | void | Promise<number | void>;
