import type { Plugin } from 'fw';

/** What app.config.ts may say to this plugin. */
export interface GreetingOptions {
  /** Word before the name; default `Hello`. */
  readonly greeting?: string;
}

declare const plugin: Plugin<GreetingOptions>;
export default plugin;
