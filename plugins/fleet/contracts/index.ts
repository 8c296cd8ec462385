export { ContractChecker, type CheckedSpan, type ContractCheckerOptions } from './contract-checker.js';
export { CONTRACT_ERRORS } from './errors.js';
export { inWords } from './given-up.js';
export { ViolationRing, type ViolationFilter } from './violation-ring.js';
export type { ContractStats, Direction, Violation, ViolationGroup } from '../../../kernel/contracts/fleet-wire.js';
