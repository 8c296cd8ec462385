import { nativeTypesContract } from '../contract/native-types.contract.js';
import { openSqlite, sqlite } from './index.js';

const words = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  literal: (value: string) => value,
  text: (column: string) => `typeof(${column}) || ' ' || quote(${column})`,
  server: 'SQLite',
};
const create = async () => ({ handle: await openSqlite(':memory:'), drop: () => Promise.resolve() });
nativeTypesContract({ name: 'SQLite', dialect: sqlite, create }, words);
