/**
 * Tools of category fleet.
 * @packageDocumentation
 */
export { default } from './plugin.js';
