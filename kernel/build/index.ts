export { buildApp } from './build-app.js';
export { buildConfig } from './build-config.js';
export type { BuildPart } from './build-parts.js';
export type { LoadedAhead } from './loaded-ahead.js';
export { RepeatedBuild } from './repeated-build.js';
export { settingsOf } from './check-types.js';
