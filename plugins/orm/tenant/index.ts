export { TENANT_ERRORS } from './errors.js';
export { tenant } from './tenant.js';
