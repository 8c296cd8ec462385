import type { WorldSchema } from '../../contract/world-schema.js';

/** Shapes that databases of this kind have where others made them. */
export const WORLD: WorldSchema = {
  sql: [
    `CREATE TABLE [Order Lines] ([OrderID] INTEGER, [Price] NUMERIC DEFAULT 0)`,
    `CREATE TABLE Employees (EmployeeID INTEGER PRIMARY KEY AUTOINCREMENT, LastName TEXT, Title NVARCHAR(30), BirthDate DATE, HireDate DATETIME,
      Photo BLOB, Salary NUMERIC(10,2), Score REAL, Active BOOLEAN, Extra, ReportsTo INTEGER REFERENCES Employees (EmployeeID))`,
    `INSERT INTO Employees VALUES (1, 'it''s', '', '1948-12-08', '1992-05-01 00:00:00', x'00ff', 12.5, 0.1, 1, 'text', NULL),
      (2, 'é😀', NULL, '1952-02-19', '1992-08-14 07:08:09', x'', 1e20, 3, 0, 0.5, 1), (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, x'01', 1)`,
    `CREATE TABLE moments (id INTEGER PRIMARY KEY, unix DATETIME, julian DATETIME, zoned DATETIME)`,
    `INSERT INTO moments VALUES (1, 1700000000, 2460000.5, '2024-05-06T07:08:09+00:00'), (2, 1700000001, 2460001.25, '2024-05-07T07:08:09+00:00')`,
  ],
  probe: 'SELECT * FROM moments',
  tables: 3,
  models: 2,
  rows: 5,
  written: 5,
  notes: [],
  spoil: [`UPDATE Employees SET Salary = 'much', Photo = 'text', Active = 'yes', LastName = 7 WHERE EmployeeID = 3`],
  spoilt: [
    ['Employees.Photo', 'cannot be read (FW_ORM_UNREADABLE)', 'a Uint8Array'],
    ['Employees.Salary', 'is read, and refused when it is written', 'much'],
    ['Employees.Active', 'is read as something else', 'the database says "yes", read was true'],
  ],
};
