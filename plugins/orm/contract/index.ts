export * from './suite.js';
export { serverDatabase, type ServerDatabase } from './test-servers.js';
