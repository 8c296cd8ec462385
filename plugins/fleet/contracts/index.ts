export { ContractChecker, type CheckedSpan, type ContractCheckerOptions } from './contract-checker.js';
export { isObject, type JsonObject } from './json-object.js';
export { OpenApiDocument } from './openapi-document.js';
export { PayloadSchema, type PayloadProblem } from './payload-schema.js';
export { ViolationRing, type ViolationFilter } from './violation-ring.js';
export type { ContractStats, Direction, Violation, ViolationGroup } from '../../../kernel/contracts/fleet-wire.js';
