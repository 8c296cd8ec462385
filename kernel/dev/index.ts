export { DEV_CHILD, devParent, type DevParent } from './dev-parent.js';
export type { AheadModules, FromApp, ReadyReport, ToApp, ToldError } from './messages.js';
