/** A schema that nobody made with the framework, as `fw db pull` meets it. */
export const EXISTING = `
CREATE TABLE regions (
  country char(2) NOT NULL, code varchar(10) NOT NULL, label varchar(50) DEFAULT '' NOT NULL, PRIMARY KEY (country, code));
CREATE TABLE people (
  id int unsigned AUTO_INCREMENT PRIMARY KEY, email varchar(200) NOT NULL UNIQUE, nick varchar(255), boss_id int unsigned,
  country char(2), region varchar(10), token char(36) DEFAULT (uuid()) NOT NULL, score float DEFAULT 1.5,
  position smallint DEFAULT -1 NOT NULL, balance decimal(10, 2) DEFAULT 0 NOT NULL,
  feeling enum('happy', 'sad') DEFAULT 'happy' NOT NULL, born date, seen timestamp NULL DEFAULT CURRENT_TIMESTAMP,
  settings json, photo mediumblob, note text, active boolean DEFAULT true NOT NULL,
  CONSTRAINT boss FOREIGN KEY (boss_id) REFERENCES people (id) ON DELETE SET NULL,
  CONSTRAINT region_known FOREIGN KEY (country, region) REFERENCES regions (country, code) ON UPDATE CASCADE,
  CONSTRAINT balance_is_positive CHECK (balance >= 0),
  CONSTRAINT nick_is_short CHECK (nick IS NULL OR length(nick) < 50));
CREATE INDEX people_seen ON people (born, seen);
CREATE TABLE big_orders (
  id bigint AUTO_INCREMENT PRIMARY KEY, person_id int unsigned NOT NULL, state varchar(20) DEFAULT 'it''s open' NOT NULL,
  placed datetime(3) DEFAULT CURRENT_TIMESTAMP(3) NOT NULL, due date DEFAULT '2024-01-01', price double(8,2),
  UNIQUE (person_id, placed), FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE);`;
