import { defineErrors } from '../errors/index.js';

export const SCHEMA_ERRORS = defineErrors('kernel/schema', {
  FW_SCHEMA_ID_TWICE: {
    message:
      'Two different schemas have the $id "{id}": one in {first}, another in {second}. Give one of them another $id, or use the same schema in both places.',
    cause:
      'An $id names one schema in an application (JSON Schema 2020-12, Core, section 8.2.1). Two that differ in more than their title, description, examples or comment have the same one.',
    remedy: 'Rename one of them, or take the $id away where the schema is not meant to be shared.',
  },
  FW_SCHEMA_REFERENCE: {
    message:
      'The schema of {place} cannot be used: {problem}. Put the schema that is meant into its $defs, or in the place of the reference.',
    cause:
      'A $ref names a schema that is nowhere in the schema it stands in. Schemas of other routes are not looked through.',
    remedy: 'Use the schema itself instead of a reference to it: `address: Address`.',
  },
});
