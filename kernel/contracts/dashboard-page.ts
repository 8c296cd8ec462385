// The dashboard's code in the browser imports this file too: it must not import anything of the server.

/** What the module of a page exports by default: draws the page, and says how to end it. */
export type MountDashboardPage = (root: PageRoot, api: DashboardPageApi) => void | (() => void);

/** The browser's `HTMLElement` where the types of the DOM are loaded, else an opaque object. */
type PageRoot = typeof globalThis extends { HTMLElement: { prototype: infer Element } } ? Element : object;

/** What a page gets. */
export interface DashboardPageApi {
  /** Where the dashboard is mounted, e.g. `/dashboard`. */
  readonly basePath: string;
  /**
   * Fetches JSON from the application's own origin, with the token that writes need.
   * @throws Error with `status` and the body's `error` or `detail` as its message, for an answer other than 2xx
   */
  fetchJson<Answer = unknown>(
    path: string,
    init?: { method?: string; body?: unknown; signal?: unknown },
  ): Promise<Answer>;
  /** Calls back for every event of a channel of the dashboard's live connection. @returns ends it */
  onLive(channel: string, listener: (data: unknown, time: string) => void): () => void;
  /** Opens a path below the dashboard's mount. */
  navigate(path: string): void;
  /** `light` or `dark` at the moment; colours of the style sheet follow by themselves. */
  theme(): 'light' | 'dark';
  /** Calls back when the theme changes. @returns ends it */
  onTheme(listener: (theme: 'light' | 'dark') => void): () => void;
}
