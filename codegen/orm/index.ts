export { modelGenerator } from './model-generator.js';
