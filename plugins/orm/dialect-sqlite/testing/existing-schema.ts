/** A schema that nobody made with the framework, as `fw db pull` meets it. */
export const EXISTING = `
CREATE TABLE regions (
  country char(2) NOT NULL, code varchar(10) NOT NULL, label text DEFAULT '' NOT NULL, PRIMARY KEY (country, code));
CREATE TABLE people (
  id INTEGER PRIMARY KEY, email varchar(200) NOT NULL UNIQUE, nick varchar(255),
  boss_id integer REFERENCES people ON DELETE SET NULL, country char(2), region varchar(10),
  token text DEFAULT (lower(hex(randomblob(16)))) NOT NULL, score real DEFAULT 1.5, rank smallint DEFAULT -1 NOT NULL,
  balance decimal(10, 2) DEFAULT 0 NOT NULL CHECK (balance >= 0), born date, seen datetime DEFAULT CURRENT_TIMESTAMP,
  settings json DEFAULT '{}', photo blob, active boolean DEFAULT 1 NOT NULL, place geometry,
  CONSTRAINT region_known FOREIGN KEY (country, region) REFERENCES regions (country, code) ON UPDATE CASCADE,
  CONSTRAINT nick_is_short CHECK (nick IS NULL OR length(nick) < 50));
CREATE INDEX people_lower ON people (lower(email));
CREATE INDEX people_region ON people (country, region);
CREATE TABLE big_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT, person_id integer NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  state varchar(20) DEFAULT 'it''s open' NOT NULL, placed timestamp DEFAULT CURRENT_TIMESTAMP NOT NULL,
  due date DEFAULT '2024-01-01', UNIQUE (person_id, placed));`;
