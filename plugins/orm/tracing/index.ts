export { tracing, type QuerySpan, type QueryTracer } from './tracing.js';
