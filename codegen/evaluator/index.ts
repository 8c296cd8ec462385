export { bindingOf } from './bindings.js';
export { Evaluator } from './evaluator.js';
export { bare, returnedBy, shortened } from './syntax.js';
export { ifResolved, unresolvable, unresolvedAt, unresolvedOf, type Unresolved } from './unresolved.js';
export { ClassValue, ForeignValue, FunctionValue, isPlain, MarkValue, notDataIn, type Environment } from './values.js';
export { isMarkMaker } from './known-modules.js';
