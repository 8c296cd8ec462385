export { CallerCounts, MAX_CALLER_NAME, MAX_CALLERS } from './caller-counts.js';
export { BUCKETS, LogHistogram } from './log-histogram.js';
export { maskedPath } from './masked-path.js';
export { samplingMember, samplingProbability, samplingThreshold } from './sampling-state.js';
export { isSecret, MAX_PAYLOAD_BYTES, REDACTED, scrubbedJson } from './scrub.js';
export { statementText } from './statement-text.js';
export { passedOnTracestate } from './tracestate.js';
