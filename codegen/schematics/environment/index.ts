export { declareVariables, readsEnvironment, withoutEnvironment } from './declare.js';
export { environmentFiles, textVariable, type Variable, variableRow } from './variable.js';
