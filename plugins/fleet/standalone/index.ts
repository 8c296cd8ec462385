export { standaloneAggregator } from './standalone.js';
