/** A mistake in a plugin's package, or something to improve. */
export interface PluginProblem {
  /** `error`: the plugin will fail for users; `warning`: it may surprise them. */
  readonly level: 'error' | 'warning';
  /** Which part: package, exports, peer, types, commands, definition, options, capabilities. */
  readonly check: CheckName;
  readonly message: string;
  /** What to do. */
  readonly fix: string;
}

/** The parts that are checked, in this order. */
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
