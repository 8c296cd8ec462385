import { defineErrors } from '../errors/index.js';

/** Error codes of foreign schemas. */
export const FOREIGN_SCHEMA_ERRORS = defineErrors('kernel/foreign-schema', {
  FW_FOREIGN_SCHEMA_MISSING: {
    message: 'there is no schema at {pointer} of the document',
    cause: 'A schema was asked for by a pointer that leads nowhere in the document.',
    remedy: 'Point to a schema of the document (RFC 6901).',
  },
  FW_FOREIGN_SCHEMA_CODE: {
    message: 'its code would have {length} characters, at most {limit} are compiled',
    cause: 'A schema of somebody else has very many properties or alternatives.',
    remedy: 'Split the schema, or describe less of it.',
  },
});
