import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaRoundtripContract } from '../contract/schema-roundtrip.contract.js';
import { openSqlite, sqlite } from './index.js';
import { SQLITE_PAIRS } from './testing/schema-pairs.js';

// https://sqlite.org/datatype3.html#affinity_name_examples
const SPELLINGS: readonly (readonly [string, readonly string[]])[] = [
  ['integer', ['int', 'INTEGER', 'int8', 'tinyint', 'integer(11)', 'unsigned big int', 'bool']],
  ['text', ['text', 'varchar(20)', 'character varying(20)', 'nvarchar (20)', 'text collate binary']],
  ['double', ['double', 'real', 'float', 'double precision']],
  ['decimal(12,4)', ['decimal(12, 4)', 'numeric(12,4)']],
];

schemaRoundtripContract({
  name: 'SQLite',
  dialect: sqlite,
  spellings: SPELLINGS,
  traits: ['one length of integers', 'virtual columns', 'indexes of expressions'],
  pairs: SQLITE_PAIRS,
  async create() {
    const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
    const handle = await openSqlite(join(folder, 'test.db'));
    return { handle, drop: async () => rmSync(folder, { recursive: true }) };
  },
});
