/**
 * Tools that work on a project beside its sources: install its packages, start and stop it, run one test, run migrations, ask its
 * development database. They are not among the forty; `fw-mcp --plugin fw/tools/workbench` adds them.
 * @packageDocumentation
 */
export { default } from './plugin.js';
