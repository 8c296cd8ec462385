/** Something about a plugin's package that is wrong, or could be better. */
export interface PluginProblem {
  /** `error`: users will run into it; `warning`: they will wonder. */
  readonly level: 'error' | 'warning';
  /** Which part: package, exports, peer, types, commands, definition, options, capabilities. */
  readonly check: CheckName;
  readonly message: string;
  /** What to do. */
  readonly fix: string;
}

/** What is looked at, in this order. */
export const CHECKS = [
  'package',
  'exports',
  'peer',
  'types',
  'commands',
  'definition',
  'options',
  'capabilities',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** An error of one part. */
export const wrong = (check: CheckName, message: string, fix: string): PluginProblem => ({
  level: 'error',
  check,
  message,
  fix,
});

/** A warning of one part. */
export const doubtful = (check: CheckName, message: string, fix: string): PluginProblem => ({
  ...wrong(check, message, fix),
  level: 'warning',
});
