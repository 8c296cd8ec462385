import { describeWith } from '../../../kernel/testing/required-service.js';
import { baselineContract } from '../contract/baseline.contract.js';
import { postgres } from './index.js';
import { POSTGRES, postgresDatabase } from './testing/postgres-server.js';

const OWN = `n.nspname IN ('public', 'sales') AND c.relname NOT LIKE 'schema_migrations%'`;

describeWith(POSTGRES, 'PostgreSQL', (url) => {
  baselineContract(
    { name: 'PostgreSQL', dialect: postgres, create: () => postgresDatabase(url) },
    {
      statements: [
        'CREATE SCHEMA sales',
        'CREATE SEQUENCE sales."all Numbers" AS integer INCREMENT 5 MINVALUE 10 MAXVALUE 900 START 100 CACHE 3 CYCLE',
        `CREATE TYPE mood AS ENUM ('calm', 'it''s', 'wild')`,
        `CREATE TYPE sales.mood AS ENUM ('other')`,
        `CREATE DOMAIN share AS numeric(5,2) DEFAULT 1 NOT NULL CONSTRAINT share_fits CHECK (VALUE BETWEEN 0 AND 100)`,
        'CREATE TYPE spot AS (x int, "the y" share)',
        `CREATE TABLE tones (id int, part int, PRIMARY KEY (id, part), feel mood[] DEFAULT ARRAY['calm']::mood[], half share, at_spot spot,
          since time DEFAULT LOCALTIME, who text DEFAULT CURRENT_USER, odd real DEFAULT 'NaN', grid int[][] DEFAULT '{{1,2},{3,4}}',
          more bigserial, word text COLLATE "C", CONSTRAINT "a check" CHECK (part > 1) NO INHERIT, UNIQUE (word) DEFERRABLE INITIALLY DEFERRED,
          span int4range, CONSTRAINT apart EXCLUDE USING gist (span WITH &&) WHERE (part > 3))`,
        'CREATE INDEX tones_half ON tones (half DESC) WITH (fillfactor = 70)',
        'CREATE INDEX tones_wide ON tones USING brin (part) WITH (pages_per_range = 32)',
        `COMMENT ON COLUMN tones.word IS 'it''s \\ said'`,
        `CREATE TABLE notes (id int GENERATED ALWAYS AS IDENTITY (INCREMENT 4 MINVALUE 3 MAXVALUE 1000 START 7 CACHE 20 CYCLE) PRIMARY KEY,
          tone int, part int, FOREIGN KEY (tone, part) REFERENCES tones MATCH FULL, kind sales.mood)`,
        `CREATE UNLOGGED TABLE loose (id int PRIMARY KEY DEFERRABLE, number int DEFAULT nextval('sales."all Numbers"'))`,
        'ALTER TABLE loose ADD CONSTRAINT later CHECK (id > 0) NOT VALID',
        'CREATE TABLE years (id int, year int, PRIMARY KEY (id, year)) PARTITION BY RANGE (year)',
        'CREATE TABLE a_year PARTITION OF years (CONSTRAINT odd CHECK (id % 2 = 1)) FOR VALUES FROM (2020) TO (2021)',
        `CREATE TABLE sales.orders (id int PRIMARY KEY, note int REFERENCES notes ON DELETE SET NULL)`,
        'CREATE MATERIALIZED VIEW kept AS SELECT id, word FROM tones',
        'CREATE UNIQUE INDEX kept_id ON kept (id)',
        'CREATE VIEW guarded WITH (security_barrier, check_option = local) AS SELECT id, word FROM tones WHERE part > 2',
      ],
      tables: ['tones', 'notes', 'loose', 'years', 'a_year', 'sales.orders'],
      views: ['kept', 'guarded'],
      words: [
        `SELECT c.relname, c.relpersistence, c.relispartition, c.reloptions, pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid)
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'm', 'v') AND ${OWN} ORDER BY 1`,
        `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attidentity, a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation::text
          FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
          LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE c.relkind IN ('r', 'p', 'm') AND ${OWN} ORDER BY c.relname, a.attnum`,
        `SELECT c.relname, o.conname, regexp_replace(pg_get_constraintdef(o.oid), ' NOT VALID$', '') FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OWN} ORDER BY 1, 2`,
        `SELECT pg_get_indexdef(x.indexrelid) FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${OWN} ORDER BY 1`,
        `SELECT s.seqrelid::regclass::text, s.seqstart::text, s.seqincrement::text, s.seqmin::text, s.seqmax::text, s.seqcache::text, s.seqcycle FROM pg_sequence s ORDER BY 1`,
        `SELECT t.oid::regtype::text, t.typdefault, t.typnotnull, format_type(t.typbasetype, t.typtypmod),
            (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid),
            (SELECT string_agg(pg_get_constraintdef(o.oid), ',') FROM pg_constraint o WHERE o.contypid = t.oid)
          FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype IN ('e', 'd') AND n.nspname IN ('public', 'sales') ORDER BY 1`,
      ],
    },
  );
});
