import type { NativeType } from '../dialect/index.js';

/** Types that tables of SQLite are declared with; any other name is one of them by its letters (https://sqlite.org/datatype3.html). */
export const sqliteNativeTypes: readonly NativeType[] = [
  { type: 'INTEGER', kind: 'int', values: ['-7', '9007199254740991'] },
  { type: 'BIGINT', kind: 'bigint', values: ['-9223372036854775808'] },
  { type: 'REAL', kind: 'float', values: ['0.1', '-1.5e-300'] },
  { type: 'NUMERIC', kind: 'decimal', values: ['7', '0.5'] },
  { type: 'BOOLEAN', kind: 'boolean', values: ['0', '1'] },
  { type: 'TEXT', kind: 'string', values: ["''", "'it''s 😀'"] },
  { type: 'VARCHAR', kind: 'string', declared: 'VARCHAR(40)', values: ["'a'"] },
  {
    type: 'JSON',
    kind: 'json',
    values: [`'{"a":[1,null]}'`],
    compared: 'refused: no comparison means the same everywhere',
  },
  { type: 'BLOB', kind: 'bytes', values: ["x''", "x'00ff'"] },
  { type: 'ANY', kind: 'any', values: ['7', '0.5', "'text'", "x'00ff'"] },
  { type: '', kind: 'any', values: ['7', '0.5', "'text'", "x'00ff'"] },
];
