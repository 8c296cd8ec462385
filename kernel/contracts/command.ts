/** Where a command prints: results on one, what goes on and what is wrong on the other. */
export interface CommandOutput {
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
}

/**
 * Does something that may take long. After a second, and not before, standard error says what it is: on a terminal in one line that
 * is rewritten and goes away, elsewhere in a line for each phase; with `--json` or `--quiet` not at all.
 *
 * @param doing - what goes on: `reading the database`
 * @param work - gets a function that names the next phase
 * @returns what the work gives
 * @throws what the work throws
 *
 * @example
 * await progress('reading the tables', async (next) => {
 *   const tables = await read();
 *   next(`writing ${tables.length} models`);
 *   await write(tables);
 * });
 */
export type Progress = <Result>(
  doing: string,
  work: (next: (doing: string) => void) => Promise<Result>,
) => Promise<Result>;

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
