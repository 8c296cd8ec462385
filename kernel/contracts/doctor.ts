import type { LoadedConfig } from '../config/index.js';

/** A result of a check of `fw doctor`. */
export interface Finding {
  /** `error`: it does not work. `warning`: it will not, or not as meant. `note`: worth knowing. `ok`: as it should be. */
  readonly severity: 'error' | 'warning' | 'note' | 'ok';
  /** Stable, for programs; where an `FwError` is the reason, its code. */
  readonly code: string;
  /** One sentence. Never a secret, never the value of a variable. */
  readonly message: string;
  /** A command that helps, to paste into a shell. */
  readonly command?: string;
  /** For programs: versions, addresses, names. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a check is called with. */
export interface DoctorContext {
  /** The project folder. Whatever is in it may be missing or broken. */
  readonly root: string;
  /** dev, test or prod, as it was asked for. */
  readonly profile: string | undefined;
  /** The built configuration, loaded once for all checks. @throws what is wrong with it */
  config(): Promise<LoadedConfig>;
  /** Aborted when the check has taken too long. */
  readonly signal: AbortSignal;
}

/**
 * A check of `fw doctor`: the default export of the module that a manifest names. It changes nothing. An exception becomes a finding, and
 * the other checks go on.
 *
 * @example const queue: DoctorCheck = async () => [{ severity: 'ok', code: 'QUEUE_UP', message: 'The queue answers.' }]; export default
 *   queue;
 */
export type DoctorCheck = (context: DoctorContext) => readonly Finding[] | Promise<readonly Finding[]>;
