import type { WorldSchema } from '../../contract/world-schema.js';

/** Shapes that databases of this kind have where others made them. */
export const WORLD: WorldSchema = {
  sql: [
    `CREATE TABLE [Order Lines] ([OrderID] INTEGER, [Price] NUMERIC DEFAULT 0, CHECK ([Price] >= 0))`,
    // A column called id that is no key, a view of two words, and one whose table is gone.
    `CREATE TABLE events (id INTEGER, name TEXT)`,
    `INSERT INTO events VALUES (1, 'twice')`,
    `CREATE TABLE tokens (id BIGINT PRIMARY KEY, uses INTEGER)`,
    `INSERT INTO tokens VALUES (9007199254740993, 9007199254740991)`,
    `CREATE TABLE labels (name TEXT PRIMARY KEY, color TEXT NOT NULL)`,
    `CREATE VIEW [Last Names] (Id, [Last Name]) AS SELECT EmployeeID, LastName FROM Employees`,
    `CREATE VIEW gone AS SELECT * FROM nowhere`,
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
  tables: 10,
  models: 8,
  rows: 15,
  written: 6,
  notes: [],
  spoil: [
    `UPDATE Employees SET Salary = 'much', Photo = 'text', Active = 'yes', LastName = 7 WHERE EmployeeID = 3`,
    'INSERT INTO tokens VALUES (NULL, 9007199254740993)',
    "INSERT INTO labels VALUES (NULL, 'red')",
    'UPDATE events SET id = -9223372036854775808',
  ],
  spoilt: [
    ['Employees.Photo', 'cannot be read (FW_ORM_UNREADABLE)', 'a Uint8Array'],
    ['Employees.Salary', 'cannot be read (FW_ORM_UNREADABLE)', 'the text much'],
    ['Employees.Active', 'cannot be read (FW_ORM_UNREADABLE)', 'the text yes'],
    ['events.id', 'cannot be read (FW_ORM_UNREADABLE)', 'declare the property as bigint'],
    ['labels.name', 'holds null, and the model takes none', 'is declared without null'],
    ['tokens.uses', 'cannot be read (FW_ORM_UNREADABLE)', 'declare the property as bigint'],
    ['tokens.id', 'holds null, and the model takes none', 'is declared without null'],
  ],
};
