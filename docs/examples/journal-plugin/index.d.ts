import type { EventBackend, Logger, Plugin } from 'fw';

/** What app.config.ts may say to this plugin. */
export interface JournalOptions {
  /** Folder of the files, from the project's own; default `.fw/journal`. */
  readonly folder?: string;
}

/** The backend itself, for tests. */
export interface JournalBackend extends EventBackend {}
export declare const JournalBackend: new (folder: string, log: Pick<Logger, 'error'>) => JournalBackend;

declare const plugin: Plugin<JournalOptions>;
export default plugin;
