/** Versions of TypeScript that projects may have; a test compiles generated code with each, and builds with it. */
export const TYPESCRIPT_VERSIONS = ['5.0.4', '5.4.5', '5.9.3', '6.0.3', '7.0.2'] as const;

/** Projects of the corpus that are compiled with each version: between them, every kind of column, and relations of every kind. */
export const COMPILED_WITH_EACH = ['kinds', 'relations', 'settings-exact-optional'] as const;
