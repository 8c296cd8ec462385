import type { Plugin } from 'fw';

/** What app.config.ts may say to this plugin. */
export interface RequestIdOptions {
  /** Header that carries the id; default `X-Request-Id`. */
  readonly header?: string;
  /** Whether an id that the caller sends is kept; default false. */
  readonly trust?: boolean;
}

declare const plugin: Plugin<RequestIdOptions>;
export default plugin;
