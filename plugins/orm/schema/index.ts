export { createMissingTables } from './create-missing-tables.js';
export { type ActualTable, introspect } from './introspect.js';
export { type DiffOptions, diffSchema, type SchemaDiff } from './schema-diff.js';
