export { ForeignSchemas, type ForeignIssue, type ForeignValidator, type PatternWatch } from './foreign-schemas.js';
