import { token } from '../container/token.js';

/**
 * Files and folders that a plugin reads when it starts, and not again: `fw dev` starts the application anew when one of them changes.
 * Source files need not be listed.
 */
export interface ReadAtStart {
  /** Absolute paths. */
  readonly paths: readonly string[];
}

/** Plugins contribute what they read at the start. */
export const ReadAtStart = token<ReadAtStart>('fw.ReadAtStart');
