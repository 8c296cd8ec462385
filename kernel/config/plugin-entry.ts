import type { Profile } from './profile.js';

/** How an entry of the plugin list differs by profile: other options, or `false` to leave the plugin out. */
export type ProfileVariants<Input> = { readonly [Name in Profile]?: Partial<Input> | false };

/** One entry of the plugin list; made by `plugin`. */
export interface PluginEntry {
  readonly load: () => Promise<unknown>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly variants: ProfileVariants<Record<string, unknown>>;
}
