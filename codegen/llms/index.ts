// Only what needs no parser: the knowledge tools make and check the same files.
export { documentedEntries, type DocumentedEntries } from './documented-entries.js';
export { changesBetween, freshnessOf, type LlmsFreshness, type LlmsStatus } from './freshness.js';
export { projectLlms, type ProjectLlms } from './project-llms.js';
export { readReferenceFacts, REFERENCE_FILE, type ReferenceFacts } from './reference-facts.js';
