export * from './core/index.js';
export { QueryObserver } from '../../kernel/contracts/query-observer.js';
export { default } from './orm-plugin.js';
export { Databases, databaseNamed } from './dialect/index.js';
export { metrics, type QueryMetrics } from './metrics/index.js';
export { softDelete } from './soft-delete/index.js';
export { TENANT_ERRORS, tenant } from './tenant/index.js';
export { tracing, type QuerySpan, type QueryTracer } from './tracing/index.js';
