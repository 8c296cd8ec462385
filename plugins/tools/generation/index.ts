/**
 * Tools of category generation.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { Flags, flagValues } from './flags.js';
export { GENERATION_ERRORS } from './errors.js';
export { documentIn } from './document-in.js';
export { fwAdd } from './fw-add.js';
export { fwGenerate } from './fw-generate.js';
export { migrationCall } from './migration-call.js';
export { oneAtATime } from './project-lock.js';
export { Change } from './result.js';
