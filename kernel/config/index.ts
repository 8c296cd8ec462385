export {
  PROFILES,
  defineApp,
  isAppConfig,
  MIGRATIONS_FOLDER,
  plugin,
  type AppConfig,
  type PluginEntry,
  type Profile,
  type ProfileVariants,
} from './define-app.js';
export { DurationSchema, LONGEST_TIMER, milliseconds, type Duration } from './duration.js';
export { ORIGIN, OriginSchema } from './origin.js';
export { withDefault, type Defaulted, type OptionsInput, type ResolvedOptions } from './options.js';
export { defineEnvironment, type Environment, type EnvironmentVariables } from './environment.js';
export { environmentHint } from './environment-hint.js';
export { activeProfile } from './profile.js';
export { redact, redactText } from './redact.js';
export { resolveOptions } from './resolve-options.js';
export { startFiles } from './app-files.js';
export { OUTPUT_LIST, staleSources } from './stale-sources.js';
export { BUILT_CONFIG, loadConfig, type LoadedConfig } from './load-config.js';
