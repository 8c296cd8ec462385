/**
 * Tools of category planning.
 * @packageDocumentation
 */
export { default } from './plugin.js';
