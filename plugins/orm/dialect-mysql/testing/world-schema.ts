import type { WorldSchema } from '../../contract/world-schema.js';

/** Shapes that databases of this kind have where others made them. */
export const WORLD: WorldSchema = {
  sql: [
    `CREATE TABLE wp_posts (ID bigint(20) unsigned NOT NULL auto_increment, post_author bigint(20) unsigned NOT NULL default '0',
      post_title text NOT NULL, post_content longtext NOT NULL, post_status varchar(20) NOT NULL default 'publish', menu_order int(11) NOT NULL default '0',
      PRIMARY KEY (ID), KEY post_name (post_status(10)), KEY type_status_date (post_status, menu_order, ID)) DEFAULT CHARSET=utf8mb4`,
    `INSERT INTO wp_posts VALUES (18446744073709551000, 7, 'it''s', 'a\\\\b\\nc 😀', 'draft', -1), (1, 0, '', '', '', 0)`,
    `CREATE TABLE film (film_id smallint unsigned NOT NULL AUTO_INCREMENT, release_year year DEFAULT NULL, rental_rate decimal(4,2) NOT NULL DEFAULT '4.99',
      rating enum('G','PG-13') DEFAULT 'G', special_features set('Trailers','Deleted Scenes') DEFAULT NULL, length float, place geometry, pic blob, shown date,
      flags bit(3), is_new tinyint(1), stage tinyint(1) NOT NULL DEFAULT 1, shelf int(8) zerofill, made year, last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, seen datetime(6), PRIMARY KEY (film_id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
    `INSERT INTO film VALUES (1, 2006, 0.10, 'PG-13', 'Trailers,Deleted Scenes', 0.1, ST_GeomFromText('POINT(1 2)'), x'00ff', '2024-02-29', b'101', 1, 3, 42, 0, '2006-02-15 04:34:33', '2024-01-02 03:04:05.123'),
      (2, NULL, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, 0, 1901, '2006-02-15 05:03:42', '1000-01-01')`,
    `CREATE TABLE readings (id int PRIMARY KEY, at datetime(6) NOT NULL, facts json NOT NULL, more json)`,
    `INSERT INTO readings VALUES (1, '2024-01-02 03:04:05.123456', '{"id": 12345678901234567890, "of": [1.0, "1.0"]}', 'null'), (2, '2024-01-02', 'null', NULL)`,
    // Times that are none: by default, and only in a row.
    `CREATE TABLE wp_links (link_id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, link_updated datetime NOT NULL DEFAULT '0000-00-00 00:00:00',
      seen datetime, made datetime, fine datetime(6) NOT NULL DEFAULT '0000-00-00 00:00:00.000000', took time(6), slot time(3))`,
    `INSERT INTO wp_links (link_updated, seen, made, fine, took, slot) VALUES
      ('2024-01-02 03:04:05', '0000-00-00 00:00:00', '2024-01-02 03:04:05', '2024-01-02 03:04:05.100000', '-10:00:00', '12:34:56.780'), (DEFAULT, NULL, NULL, DEFAULT, '838:59:59', NULL)`,
    'CREATE TABLE actors (id int PRIMARY KEY)',
    'INSERT INTO actors VALUES (7), (8)',
    `CREATE TABLE film_actors (film_id smallint unsigned, actor_id int, PRIMARY KEY (film_id, actor_id),
      FOREIGN KEY (film_id) REFERENCES film (film_id) ON DELETE CASCADE, FOREIGN KEY (actor_id) REFERENCES actors (id) ON DELETE CASCADE)`,
    'INSERT INTO film_actors VALUES (1, 7), (1, 8), (2, 7)',
    // Bytes wherever a type does not say otherwise, and the beginning of a column before another column in an index.
    `CREATE TABLE mw_page (page_id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, page_title varbinary(255) NOT NULL, page_text mediumblob,
      page_type enum('page','subcat','größe') NOT NULL DEFAULT 'page', page_flags set('a','b'),
      KEY title_type (page_title(60), page_type), UNIQUE KEY title_once (page_title(100), page_flags, page_id)) DEFAULT CHARSET=binary`,
    `INSERT INTO mw_page VALUES (1, 'Größe', 'text', 'größe', 'a,b'), (2, x'00ff', NULL, 'page', NULL)`,
    'CREATE TABLE counters (name varchar(40) NOT NULL PRIMARY KEY, count int NOT NULL) ENGINE=MyISAM',
    `INSERT INTO counters VALUES ('a', 1)`,
    // Rows that nobody may change, of which the database says each by its name, beside one that anybody may.
    'CREATE TABLE roles (id int PRIMARY KEY, name varchar(20), predefined int NOT NULL)',
    `INSERT INTO roles VALUES (1, 'guest', 0), (2, 'admin', 1), (3, 'owner', 1)`,
    `CREATE TRIGGER keep_role BEFORE UPDATE ON roles FOR EACH ROW BEGIN
      DECLARE told varchar(100) DEFAULT CONCAT('Role ', OLD.name, ' cannot be modified');
      IF OLD.predefined THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = told; END IF; END`,
  ],
  probe: 'SELECT film_id, last_update, seen FROM film ORDER BY film_id',
  tables: 9,
  models: 8,
  rows: 19,
  written: 11,
  notes: [
    'readings.at has moments that are finer than a millisecond',
    'readings.facts has numbers in JSON that a double does not hold',
    'counters is not written: no rollback would undo it',
    'roles has rows of which the database itself refuses every update: orm: MySQL refused the statement: Role admin cannot be modified',
  ],
  spoil: [`UPDATE IGNORE film SET rating = 'X' WHERE film_id = 2`],
  spoilt: [['film.rating', 'is read, and refused when it is written', 'the database says ""']],
};
