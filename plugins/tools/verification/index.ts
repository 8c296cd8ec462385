/**
 * Tools of category verification, and what `fw verify` does.
 * @packageDocumentation
 */
export { default } from './plugin.js';
