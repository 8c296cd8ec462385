export { addressOf, type Confidence, nameOf, operationOf, placeOf, targetOf } from './explain.js';
export { hasFailed, isCalledOff, isFailedWork, isOwnWork } from './failed-trace.js';
export { failureClass } from './failure-class.js';
export { type RootCause, rootCauseOf, slowestSpanOf } from './root-cause.js';
export { endOf, workOf } from './steps.js';
