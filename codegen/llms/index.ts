// Only what needs no parser: the knowledge tools make and check the same files.
export { freshnessOf, type LlmsStatus } from './freshness.js';
export { projectLlms, type ProjectLlms } from './project-llms.js';
