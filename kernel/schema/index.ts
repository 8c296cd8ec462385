export { useBuiltValidators } from './built-validators.js';
export { compileForeignSchema, type ForeignIssue, type ForeignValidator } from './foreign-schema.js';
export { isJsonSchema } from './is-json-schema.js';
export { inDraft2020 } from './draft-2020.js';
export type { AjvError, AjvFunction } from './issues.js';
export { registerPrecompiled, validatorDigest } from './precompiled.js';
export { validatorOf, type SchemaIssue, type Validator, type ValidatorOptions } from './validator.js';
export { ajvOptions } from './run-time-compiler.js';
export { addVocabulary } from './vocabulary.js';
