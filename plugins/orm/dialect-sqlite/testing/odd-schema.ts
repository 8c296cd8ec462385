import { commonOdd, ODD_DECLARED, ODD_WARNED, type OddSchema, quoted } from '../../contract/odd-schema.js';

/** What a database of this kind may hold that no model can. */
export const ODD: OddSchema = {
  sql: [
    ...commonOdd('INTEGER PRIMARY KEY', quoted),
    `CREATE TABLE defaults (id INTEGER PRIMARY KEY, listed text DEFAULT 'a, b,sql=c' NOT NULL, path text DEFAULT 'C:\\dir',
      ending text DEFAULT 'a\\', padded text DEFAULT ' a ', hollow text DEFAULT '', several text DEFAULT 'a\r\nb',
      shape "my, type", low integer DEFAULT -1, done boolean DEFAULT false, called text DEFAULT 'f()',
      CONSTRAINT whole CHECK (several <> 'a\r\n''b'))`,
    `CREATE TABLE sums (id INTEGER PRIMARY KEY, a int, name text, total int GENERATED ALWAYS AS (a + 1) STORED,
      label text AS (coalesce(name, 'a, b,sql=c')))`,
    "CREATE UNIQUE INDEX sums_few ON sums (a, lower(name) DESC) WHERE a > 0 AND name <> 'it''s'",
  ],
  declared: {
    ...ODD_DECLARED,
    'default.ts': [
      "@db('listed,default=a\\\\, b\\\\,sql=c')",
      "@db('path,default=C:\\\\dir')",
      "@db('padded,default= a\\\\ ')",
      "@db('hollow,default=')",
      "@db('called,default=f()')",
    ],
    'sum.ts': [
      "@db('total,generated=a + 1')",
      "@db('label,virtual,generated=coalesce(name, \\'a, b,sql=c\\')')",
      "{ columns: ['a'], expressions: ['lower(name) DESC'], where: 'a > 0 AND name <> \\'it\\'\\'s\\'', unique: true, name: 'sums_few' },",
    ],
  },
  warned: [...ODD_WARNED, ['defaults.ending has the default', 'default.ts']],
};
