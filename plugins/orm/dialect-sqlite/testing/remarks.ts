import type { DialectRemarks } from '../../contract/dialect-remarks.js';

const ONE_WRITER = 'no-op: one connection writes at a time and holds the whole database';

export default {
  notes: {
    'FOR UPDATE': ONE_WRITER,
    'FOR SHARE': ONE_WRITER,
    'FOR NO KEY UPDATE': ONE_WRITER,
    'SKIP LOCKED': ONE_WRITER,
    'FOR UPDATE OF': ONE_WRITER,
    NOWAIT: ONE_WRITER,
    'an enum in a table that is there': 'no check: it would take a table that is built anew; enum=check asks for that',
    'words about a table and a column': 'no-op: it keeps no words about tables and columns',
  },
} satisfies DialectRemarks;
