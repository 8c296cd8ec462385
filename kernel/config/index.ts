export {
  PROFILES,
  defineApp,
  isAppConfig,
  plugin,
  type AppConfig,
  type PluginEntry,
  type Profile,
  type ProfileVariants,
} from './define-app.js';
export { DurationSchema, milliseconds, type Duration } from './duration.js';
export { withDefault, type Defaulted, type OptionsInput, type ResolvedOptions } from './options.js';
export { activeProfile } from './profile.js';
export { REDACTED, redact } from './redact.js';
export { resolveOptions } from './resolve-options.js';
export { BUILT_CONFIG, loadConfig, type LoadedConfig } from './load-config.js';
