/**
 * The dashboard: what a person looks at, and the API that the runtime tools read.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { type Dashboard, DashboardService } from './dashboard.js';
export { DASHBOARD_ERRORS } from './errors.js';
export type { DashboardPageApi, MountDashboardPage } from '../../kernel/index.js';
