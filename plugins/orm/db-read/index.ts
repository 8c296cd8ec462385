export { assertHere, developmentDatabase } from './development.js';
export { makeReader, readDatabase, readSchema, type ReadTable } from './read-database.js';
