export { default as emitOptionValidators } from './option-validators.js';
export { validatorTable, type ValidatorRequest, type ValidatorTable } from './validator-table.js';
