import { token } from '../container/token.js';

/**
 * Records of the application (requests, errors, queries), for tools that run inside of it and so need neither a password nor a connection.
 */
export interface LocalRecords {
  /** Base URL of the application, once it listens. */
  readonly url: string;
  /**
   * Answers as the JSON API of the dashboard does.
   * @param endpoint - below `/api/`, such as `errors` or `requests/17`
   * @returns the body as JSON would give it; undefined when there is no such thing
   */
  read(endpoint: string, query: Readonly<Record<string, string>>): unknown;
}

export const LocalRecords = token<LocalRecords>('fw.LocalRecords');
