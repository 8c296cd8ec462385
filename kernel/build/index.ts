export { APP_FILES, buildApp, type AppBuild, type AppBuildResult } from './build-app.js';
