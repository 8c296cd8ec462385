/**
 * Tools that work on a project beside its sources: install its packages, start and stop it, run one test, run migrations, ask its development database.
 * Beside the forty; for `fw-mcp --plugin fw/tools/workbench`.
 * @packageDocumentation
 */
export { default } from './plugin.js';
