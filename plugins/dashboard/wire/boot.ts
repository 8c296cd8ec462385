// What travels between the server and the browser: types only, so that both halves can import them.

/** Facts that the server puts into the page. */
export interface BootInfo {
  /** Where the dashboard is mounted, e.g. `/dashboard`. */
  readonly basePath: string;
  readonly app: { readonly name: string; readonly version: string; readonly profile: string };
  /** Token that every request that changes something carries in `X-FW-CSRF`. Empty without a session. */
  readonly csrf: string;
  /** Whether the viewer can log out. */
  readonly login: boolean;
  /** Whether a Fleet aggregator is configured (SPEC "HTTP endpoints", rule 5). */
  readonly fleet: boolean;
  /** Pages of other plugins. */
  readonly pages: readonly PluginPageInfo[];
}

/** A page that another plugin adds. */
export interface PluginPageInfo {
  readonly id: string;
  readonly title: string;
  /** Below the dashboard's mount, e.g. `/greetings`. */
  readonly path: string;
  /** Address of the ES module that draws the page, on the dashboard's own origin. */
  readonly module: string;
}
