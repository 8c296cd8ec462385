import { token } from '../container/token.js';

export type { DashboardPageApi, MountDashboardPage } from './dashboard-page.js';

/**
 * A page that a plugin adds to the dashboard. It is drawn by an ES module ({@link MountDashboardPage}) that the browser loads
 * from the dashboard's own origin, so that it works under `Content-Security-Policy: default-src 'self'`.
 *
 * @example
 * contribute(DashboardPage, () => ({
 *   id: 'greetings',
 *   title: 'Greetings',
 *   path: '/greetings',
 *   module: new URL('./greetings-page.js', import.meta.url),
 * }));
 */
export interface DashboardPage {
  /** Lower-case words joined by `-`; unique among the pages. */
  readonly id: string;
  /** Shown in the navigation. */
  readonly title: string;
  /** Below the dashboard's mount, e.g. `/greetings`; paths of the built-in pages are taken. */
  readonly path: string;
  /**
   * A `file:` URL: the dashboard serves that one file to those who may read it. Or a path that the application itself
   * serves, e.g. `/greetings/page.js`, for a page of several files.
   */
  readonly module: URL | string;
}

export const DashboardPage = token<DashboardPage>('fw.DashboardPage');

/** The dashboard's live connection, for plugins that have something to show on it. Provided by the plugin `dashboard`. */
export interface DashboardLive {
  /**
   * Sends an event to every viewer of a channel; costs next to nothing while there is none.
   * @param data - becomes JSON; must hold nothing that a viewer of the dashboard may not see
   */
  publish(channel: string, data: unknown): void;
  /** Whether the channel has viewers; for events that are expensive to make. */
  wants(channel: string): boolean;
}

export const DashboardLive = token<DashboardLive>('fw.DashboardLive');
