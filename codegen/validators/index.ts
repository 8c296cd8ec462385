export { default as emitOptionValidators } from './option-validators.js';
