export { bindingOf, type Binding } from './bindings.js';
export { Evaluator } from './evaluator.js';
export { ModuleResolver, moduleResolverOf, type FreshFile } from './module-resolver.js';
export { bare, isTransparent, shortened } from './syntax.js';
export { unresolvable, unresolvedAt, unresolvedOf, type Unresolved } from './unresolved.js';
export { ClassValue, ForeignValue, FunctionValue, isPlain, notDataIn, type Environment } from './values.js';
