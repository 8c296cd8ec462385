export { softDelete } from './soft-delete.js';
