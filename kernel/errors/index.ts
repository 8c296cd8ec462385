export { isError, messageOf } from './message-of.js';
export { declaredErrors, defineErrors, type DetailsOf, type ErrorDefinition, type ErrorEntry } from './error-table.js';
export { FwError, fwError, isFwError, type FwErrorOptions } from './fw-error.js';
export {
  PROBLEM_MEDIA_TYPE,
  statusOf,
  toProblem,
  type FieldProblem,
  type Problem,
  type ProblemContext,
} from './problem.js';
export { stackFrame, stackFrames, type StackFrame } from './stack-frame.js';
export { distance, suggestion } from './suggestion.js';
