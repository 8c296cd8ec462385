export { bootApp, type App, type BootOptions } from './boot-app.js';
