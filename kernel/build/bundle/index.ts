export { type Bundle, bundleApp } from './bundle-app.js';
