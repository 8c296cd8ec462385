/**
 * Tools of category knowledge, and the project document of the planning and provisioning tools.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { findIdioms, IDIOMS, type Idiom } from './idioms.js';
export { checkDocument } from './project-document/check.js';
export { readDocument, type DocumentArguments, type ReadDocument } from './project-document/read-document.js';
export { ProjectDocument } from './project-document/schema.js';
