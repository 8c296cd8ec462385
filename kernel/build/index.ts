export { APP_FILES, buildApp, type AppBuild, type AppBuildResult } from './build-app.js';
export type { AddedOutput, BuildPart } from './build-parts.js';
export { settingsOf } from './check-types.js';
