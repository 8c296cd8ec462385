import type { Plugin } from 'fw';

/** What app.config.ts may say to this plugin. */
export interface MetricsOptions {
  /** Where Prometheus reads them; default `/metrics`. */
  readonly path?: string;
  /** Bearer token that is asked for; empty asks for none. */
  readonly token?: string;
}

declare const plugin: Plugin<MetricsOptions>;
export default plugin;
