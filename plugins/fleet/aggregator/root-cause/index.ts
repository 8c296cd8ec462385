export { type Confidence, nameOf, targetOf } from './explain.js';
export { failureClass } from './failure-class.js';
export { type RootCause, rootCauseOf, slowestSpanOf } from './root-cause.js';
