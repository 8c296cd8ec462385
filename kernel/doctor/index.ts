export { allChecks, type CheckFinding, examine, type Examination, findingOf } from './examine.js';
