/**
 * Tools of category verification, and the command `fw verify`.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { runOneTest } from './verify-project.js';
export { oncePerCause } from './first-findings.js';
