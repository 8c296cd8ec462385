import { describeWith } from '../../../kernel/testing/required-service.js';
import { baselineContract } from '../contract/baseline.contract.js';
import { mysql } from './index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';

describeWith(MYSQL, 'MySQL', (url) => {
  baselineContract(
    { name: 'MySQL', dialect: mysql, create: () => mysqlDatabase(url) },
    {
      statements: [
        `CREATE TABLE beasts (id int AUTO_INCREMENT PRIMARY KEY, name varchar(60) CHARACTER SET latin1 COLLATE latin1_bin, words text, FULLTEXT KEY words (words),
          since datetime(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3) COMMENT 'it''s \\\\ said', mother int,
          CONSTRAINT from_whom FOREIGN KEY (mother) REFERENCES beasts (id) ON DELETE SET NULL) ENGINE=InnoDB COMMENT='all of them'`,
        "INSERT INTO beasts (name) VALUES ('a'), ('b')",
        'CREATE TABLE dens (id int, beast int, PRIMARY KEY (id), CONSTRAINT of_beast FOREIGN KEY (beast) REFERENCES beasts (id))',
        'CREATE TABLE marks (id int, at int, PRIMARY KEY (id, at)) ENGINE=InnoDB PARTITION BY HASH (at) PARTITIONS 3',
        'CREATE TABLE plain (id int PRIMARY KEY, `it``s` int, KEY by_it (`it``s`)) ENGINE=MyISAM',
        'CREATE SQL SECURITY INVOKER VIEW guarded AS SELECT id, at FROM marks WHERE at > 2 WITH LOCAL CHECK OPTION',
        // A sequence where there are some, and a default of either.
        'CREATE /*M! SEQUENCE `all numbers` START WITH 100 INCREMENT BY 5 CYCLE */ /*!80000 TABLE `all numbers` (id int PRIMARY KEY) */',
        "CREATE TABLE takers (id int PRIMARY KEY, words varchar(60) DEFAULT 'nextval(`x`.`y`)', number int DEFAULT /*M! nextval(`all numbers`) */ /*!80000 7 */)",
        // Of MariaDB alone, where it is a type of table of its own (https://mariadb.com/kb/en/system-versioned-tables/).
        'CREATE TABLE versions (id int PRIMARY KEY, what int) /*M! WITH SYSTEM VERSIONING */',
      ],
      tables: ['beasts', 'dens', 'marks', 'plain', 'takers', 'versions'],
      views: ['guarded'],
      words: [
        'SELECT table_name, security_type, check_option FROM information_schema.views WHERE table_schema = DATABASE()',
        `SELECT table_name, engine, table_collation, table_comment, create_options FROM information_schema.tables
          WHERE table_schema = DATABASE() AND table_name NOT LIKE 'schema_migrations%' ORDER BY table_name`,
        `SELECT table_name, index_name, index_type, column_name FROM information_schema.statistics
          WHERE table_schema = DATABASE() AND table_name NOT LIKE 'schema_migrations%' ORDER BY table_name, index_name, seq_in_index`,
      ],
    },
  );
});
