import { defineErrors } from '../../../kernel/index.js';

/** Codes of SQLite's drivers. */
export const SQLITE_ERRORS = defineErrors('orm/sqlite', {
  FW_ORM_DRIVER_BINARY: {
    message: 'better-sqlite3 {version} has no binary that Node {node} can load ({reason}); run: {command}',
    cause:
      'better-sqlite3 12 is compiled when it is installed, for the Node of that moment: another Node cannot load it, and a package manager that runs no install scripts leaves it out. better-sqlite3 13 brings its binaries, for Linux, macOS and Windows on x64 and arm64.',
    remedy:
      'Run what the message names, where install scripts are allowed (pnpm: pnpm approve-builds; yarn: enableScripts). From Node 22.14 on better-sqlite3@13 needs none.',
    guide: 'orm.md#choose-a-database',
  },
  FW_ORM_DRIVER_NODE: {
    message: 'better-sqlite3 {version} {problem} on Node {node}; run: npm install better-sqlite3@{fitting}',
    cause:
      'better-sqlite3 13 needs Node-API 10 (Node 22.14 and later), and ends the process without it; an earlier one that was compiled for Node 24.19 or later ends it when a statement is collected as garbage.',
    remedy: 'Install the version that the message names: 13 on Node 22.14 and later, 12 before.',
    guide: 'orm.md#choose-a-database',
  },
  FW_ORM_READ_COPY: {
    message:
      '{file} has {size} MB and private columns. Up to {most} MB are copied without them; with Node 24.10 or later SQLite hides them itself.',
    status: 422,
    cause: 'better-sqlite3 has no authorizer, so that private columns are kept from statements by a copy in memory.',
    remedy: 'Use a Node whose node:sqlite has setAuthorizer, or a smaller database.',
  },
});
