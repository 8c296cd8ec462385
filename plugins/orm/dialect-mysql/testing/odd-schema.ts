import { commonOdd, ODD_DECLARED, ODD_WARNED, type OddSchema } from '../../contract/odd-schema.js';

/** What a database of this kind may hold that no model can. */
export const ODD: OddSchema = {
  sql: [
    ...commonOdd('int AUTO_INCREMENT PRIMARY KEY', (name) => `\`${name.replaceAll('`', '``')}\``),
    `CREATE TABLE defaults (id int AUTO_INCREMENT PRIMARY KEY, listed varchar(40) DEFAULT 'a, b,sql=c' NOT NULL,
      path varchar(40) DEFAULT 'C:\\\\dir', ending varchar(40) DEFAULT 'a\\\\', padded varchar(10) DEFAULT ' a ',
      hollow varchar(10) DEFAULT '', several varchar(40) DEFAULT 'a\\r\\nb', kind enum('a;b', 'it''s, "b"') DEFAULT 'a;b',
      price decimal(10, 2) DEFAULT 1.50, low int DEFAULT -1, done boolean DEFAULT false,
      CONSTRAINT whole CHECK (several <> 'a\\r\\n''b'))`,
    `CREATE TABLE sums (id int AUTO_INCREMENT PRIMARY KEY, a int, name varchar(40), total int GENERATED ALWAYS AS (a + 1) STORED,
      label varchar(40) GENERATED ALWAYS AS (concat(name, ', ', 'it''s')) VIRTUAL)`,
    'CREATE INDEX sums_names ON sums (a, name(3), total DESC)',
  ],
  declared: {
    ...ODD_DECLARED,
    'sum.ts': [
      "@db('total,generated=`a` + 1')",
      "@db('label,size=40,virtual,generated=concat(`name`,\\', \\',",
      "{ columns: ['a'], expressions: ['`name`(3)', '`total` DESC'], name: 'sums_names' },",
    ],
    'default.ts': [
      "@db('listed,size=40,default=a\\\\, b\\\\,sql=c')",
      "@db('path,size=40,default=C:\\\\dir')",
      "@db('padded,size=10,default= a\\\\ ')",
      "@db('hollow,size=10,default=')",
      `@db('kind,default=a;b,enum=native')\n  kind!: 'a;b' | 'it\\'s, "b"' | null;`,
    ],
  },
  warned: [...ODD_WARNED, ['defaults.ending has the default', 'default.ts']],
};
