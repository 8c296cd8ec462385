/** Where a command prints: results on one, what goes on and what is wrong on the other. */
export interface CommandOutput {
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
}

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
