/**
 * Tools of category runtime, and the client with which live tools read a running service.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { live, LiveProblem, liveTool, readLive, type LiveFailureKind, type LiveRequest } from './live-service.js';
export { liveBase, normalPath } from './live-url.js';
export { foundAddress, queryOf } from './service-input.js';
