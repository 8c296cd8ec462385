export { declareVariables, readsEnvironment, withoutEnvironment } from './declare.js';
export { environmentFiles, type Variable, variableRow } from './variable.js';
