export { checkDatabase, runDbCheck, type DbCheckCommand } from './db-check.js';
export type { CheckProblem, CheckStep, DbCheckResult } from './report.js';
