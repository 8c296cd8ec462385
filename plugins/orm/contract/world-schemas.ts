/** A database of shapes that are met in the world, and what `fw db check` must say of it. */
export interface WorldSchema {
  /** Statements, in the SQL of the database. */
  readonly sql: readonly string[];
  /** Query of what must be the same afterwards. */
  readonly probe: string;
  readonly tables: number;
  /** Default one for each table. */
  readonly models?: number;
  readonly rows: number;
  readonly written: number;
  /** Parts of the notes. */
  readonly notes: readonly string[];
  /** Statements that store what a model cannot hold. */
  readonly spoil: readonly string[];
  /** What is then said: place, problem, example. */
  readonly spoilt: readonly (readonly [place: string, problem: string, example: string])[];
}

/** By the name of the dialect. */
export const WORLD: Readonly<Record<string, WorldSchema>> = {
  postgres: {
    sql: [
      `CREATE DOMAIN year AS integer CHECK (VALUE BETWEEN 1901 AND 2155)`,
      `CREATE TYPE rating AS ENUM ('G', 'PG-13')`,
      // Names in capitals, a plural that is none, a column that is called as its table.
      `CREATE TABLE "Address" ("AddressId" serial PRIMARY KEY, "PostalCode" char(8), "Address" varchar(70), region text)`,
      `INSERT INTO "Address" ("PostalCode", "Address", region) VALUES ('10115', 'it''s a ''street''', NULL), ('', '', E'a\\\\b\\nc')`,
      `CREATE TABLE films (film_id integer NOT NULL DEFAULT 1, title varchar(255) NOT NULL, released year, rated rating DEFAULT 'G',
        rate numeric(4,2) DEFAULT 4.99 NOT NULL, features text[], fulltext tsvector, length real, last_update timestamp DEFAULT now() NOT NULL,
        seen timestamptz, shown date, PRIMARY KEY (film_id))`,
      `INSERT INTO films VALUES (1, 'A', 1999, 'PG-13', 0.10, '{a,"b, c",NULL}', 'a:1', 0.1, '2024-01-02 03:04:05.123456', '0044-03-15 12:00+00 BC', '0044-03-15 BC'),
        (2, 'B', NULL, NULL, 10, '{}', NULL, 0.3, '2024-01-02', '2024-05-06 07:08:09.012+02', 'infinity'),
        (3, 'C', NULL, NULL, 10, NULL, NULL, 1e10, '1999-12-31 23:59:59.999', NULL, '12024-01-01')`,
      // The time of the last change, kept by the database.
      `CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.last_update = CURRENT_TIMESTAMP; RETURN NEW; END'`,
      'CREATE TRIGGER touched BEFORE UPDATE ON films FOR EACH ROW EXECUTE FUNCTION touch()',
      `CREATE TABLE employees (id smallint PRIMARY KEY, reports_to smallint REFERENCES employees (id), photo bytea, notes text, salary money,
        hours interval, at point, tags jsonb, doubled integer GENERATED ALWAYS AS (id * 2) STORED)`,
      `INSERT INTO employees VALUES (1, NULL, '\\x00ff', '', 12.50, '1 day 02:00:00', '(1,2)', '{"a": [1, 0.5, null, "é"]}'), (2, 1, NULL, NULL, NULL, NULL, NULL, NULL)`,
      // Moments of microseconds, numbers that are none, the null of JSON, numbers that no double holds.
      `CREATE TABLE readings (id integer PRIMARY KEY, at timestamptz NOT NULL, local timestamp, exact numeric, level double precision,
        levels double precision[], facts jsonb NOT NULL, more jsonb, told json)`,
      `INSERT INTO readings VALUES (1, '2024-01-02 03:04:05.123456+00', '1969-12-31 23:59:59.999999', 'NaN', 'NaN', '{NaN,-Infinity,1}',
          '{"id": 12345678901234567890, "of": [1.0, 0.1000000000000000055511, "12345678901234567890"]}', 'null', 'null'),
        (2, '0044-03-15 12:00:00.000001+00 BC', '2024-01-02 03:04:05.1', 'Infinity', 'Infinity', NULL, 'null', NULL, NULL),
        (3, '2024-01-02', NULL, '-Infinity', '-Infinity', '{}', '{"id": 1e400, "at": -0.10}', '[null]', '{ "a": 1 }')`,
      // Two tables of which neither is more than the links between them.
      'CREATE TABLE actors (id integer PRIMARY KEY)',
      'INSERT INTO actors VALUES (7), (8)',
      `CREATE TABLE film_actors (film_id integer REFERENCES films (film_id) ON DELETE CASCADE, actor_id integer REFERENCES actors (id) ON DELETE CASCADE,
        PRIMARY KEY (film_id, actor_id))`,
      'INSERT INTO film_actors VALUES (1, 7), (1, 8), (2, 7)',
      'CREATE TABLE log (at timestamptz, line text)',
      `INSERT INTO log VALUES (NULL, 'no key')`,
    ],
    probe: 'SELECT * FROM films ORDER BY film_id',
    tables: 7,
    models: 6,
    rows: 16,
    written: 10,
    notes: [
      'readings.at has moments that are finer than a millisecond',
      'readings.more holds the null of JSON',
      'readings.told is spelled in another way',
      'readings.facts has numbers in JSON that a double does not hold',
      'log has no primary key',
      'films.last_update has moments that are finer than a millisecond',
      'films.last_update is changed by the database itself',
    ],
    spoil: [
      `INSERT INTO log VALUES ('infinity', 'no moment')`,
      `UPDATE employees SET tags = '12345678901234567890' WHERE id = 2`,
    ],
    spoilt: [
      ['employees.tags', 'cannot be read (FW_ORM_UNREADABLE)', '12345678901234567890'],
      ['log.at', 'cannot be read (FW_ORM_UNREADABLE)', 'infinity'],
    ],
  },
  mysql: {
    sql: [
      `CREATE TABLE wp_posts (ID bigint(20) unsigned NOT NULL auto_increment, post_author bigint(20) unsigned NOT NULL default '0',
        post_title text NOT NULL, post_content longtext NOT NULL, post_status varchar(20) NOT NULL default 'publish', menu_order int(11) NOT NULL default '0',
        PRIMARY KEY (ID), KEY post_name (post_status(10)), KEY type_status_date (post_status, menu_order, ID)) DEFAULT CHARSET=utf8mb4`,
      `INSERT INTO wp_posts VALUES (18446744073709551000, 7, 'it''s', 'a\\\\b\\nc 😀', 'draft', -1), (1, 0, '', '', '', 0)`,
      `CREATE TABLE film (film_id smallint unsigned NOT NULL AUTO_INCREMENT, release_year year DEFAULT NULL, rental_rate decimal(4,2) NOT NULL DEFAULT '4.99',
        rating enum('G','PG-13') DEFAULT 'G', special_features set('Trailers','Deleted Scenes') DEFAULT NULL, length float, place geometry, pic blob, shown date,
        flags bit(3), is_new tinyint(1), last_update timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, seen datetime(6), PRIMARY KEY (film_id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
      `INSERT INTO film VALUES (1, 2006, 0.10, 'PG-13', 'Trailers,Deleted Scenes', 0.1, ST_GeomFromText('POINT(1 2)'), x'00ff', '2024-02-29', b'101', 1, '2006-02-15 04:34:33', '2024-01-02 03:04:05.123'),
        (2, NULL, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, '2006-02-15 05:03:42', '1000-01-01')`,
      `CREATE TABLE readings (id int PRIMARY KEY, at datetime(6) NOT NULL, facts json NOT NULL, more json)`,
      `INSERT INTO readings VALUES (1, '2024-01-02 03:04:05.123456', '{"id": 12345678901234567890, "of": [1.0, "1.0"]}', 'null'), (2, '2024-01-02', 'null', NULL)`,
      'CREATE TABLE actors (id int PRIMARY KEY)',
      'INSERT INTO actors VALUES (7), (8)',
      `CREATE TABLE film_actors (film_id smallint unsigned, actor_id int, PRIMARY KEY (film_id, actor_id),
        FOREIGN KEY (film_id) REFERENCES film (film_id) ON DELETE CASCADE, FOREIGN KEY (actor_id) REFERENCES actors (id) ON DELETE CASCADE)`,
      'INSERT INTO film_actors VALUES (1, 7), (1, 8), (2, 7)',
      'CREATE TABLE counters (name varchar(40) NOT NULL PRIMARY KEY, count int NOT NULL) ENGINE=MyISAM',
      `INSERT INTO counters VALUES ('a', 1)`,
    ],
    probe: 'SELECT film_id, last_update, seen FROM film ORDER BY film_id',
    tables: 6,
    models: 5,
    rows: 12,
    written: 6,
    notes: [
      'readings.at has moments that are finer than a millisecond',
      'readings.facts has numbers in JSON that a double does not hold',
      'counters is not written: no rollback would undo it',
    ],
    spoil: [`UPDATE film SET is_new = 2 WHERE film_id = 2`],
    spoilt: [['film.is_new', 'cannot be read (FW_ORM_UNREADABLE)', '2, which is not a boolean']],
  },
  sqlite: {
    sql: [
      `CREATE TABLE [Order Lines] ([OrderID] INTEGER, [Price] NUMERIC DEFAULT 0)`,
      `CREATE TABLE Employees (EmployeeID INTEGER PRIMARY KEY AUTOINCREMENT, LastName TEXT, Title NVARCHAR(30), BirthDate DATE, HireDate DATETIME,
        Photo BLOB, Salary NUMERIC(10,2), Score REAL, Active BOOLEAN, Extra, ReportsTo INTEGER REFERENCES Employees (EmployeeID))`,
      `INSERT INTO Employees VALUES (1, 'it''s', '', '1948-12-08', '1992-05-01 00:00:00', x'00ff', 12.5, 0.1, 1, 'text', NULL),
        (2, 'é😀', NULL, '1952-02-19', '1992-08-14 07:08:09', x'', 1e20, 3, 0, 0.5, 1), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, x'01', 1)`,
      `CREATE TABLE moments (id INTEGER PRIMARY KEY, unix DATETIME, julian DATETIME, zoned DATETIME, fine DATETIME, real DATETIME, level REAL, facts JSON)`,
      `INSERT INTO moments VALUES (1, 1700000000, 2460000.5, '2024-05-06T07:08:09+02:00', '2024-05-06 07:08:09.123456', 1700000000.123456, 9e999, 'null'),
        (2, 1700000001, 2460001.2512345678, '2024-05-07T07:08:09-11:30', '2024-05-06 07:08:09.1', 1700000000, -9e999, '{"id":12345678901234567890}')`,
      `CREATE TABLE actors (id INTEGER PRIMARY KEY)`,
      `INSERT INTO actors VALUES (7), (8)`,
      `CREATE TABLE employee_actors (employee_id INTEGER REFERENCES Employees (EmployeeID) ON DELETE CASCADE, actor_id INTEGER REFERENCES actors (id) ON DELETE CASCADE,
        PRIMARY KEY (employee_id, actor_id))`,
      'INSERT INTO employee_actors VALUES (1, 7), (1, 8), (2, 7)',
    ],
    probe: 'SELECT * FROM moments',
    tables: 5,
    models: 3,
    rows: 10,
    written: 5,
    notes: [],
    spoil: [`UPDATE Employees SET Salary = 'much', Photo = 'text', Active = 'yes', LastName = 7 WHERE EmployeeID = 3`],
    spoilt: [
      ['Employees.Photo', 'cannot be read (FW_ORM_UNREADABLE)', 'a Uint8Array'],
      ['Employees.Salary', 'cannot be read (FW_ORM_UNREADABLE)', 'the text much'],
      ['Employees.Active', 'cannot be read (FW_ORM_UNREADABLE)', 'the text yes'],
    ],
  },
};
