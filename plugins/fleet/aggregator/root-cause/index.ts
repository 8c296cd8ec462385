export { addressOf, type Confidence, nameOf, operationOf, placeOf, targetOf } from './explain.js';
export { failureClass } from './failure-class.js';
export { type RootCause, rootCauseOf, slowestSpanOf } from './root-cause.js';
export { workOf } from './steps.js';
