export { APP_FILES, buildApp, type AppBuild, type AppBuildResult } from './build-app.js';
export type { AddedOutput, BuildPart } from './build-parts.js';
export { RepeatedBuild, type RepeatedBuildResult } from './repeated-build.js';
export { compilerAbove, settingsOf } from './check-types.js';
