export { metrics, type QueryMetrics } from './metrics.js';
