export * from './tracer/index.js';
export * from './aggregator/index.js';
export { standaloneAggregator } from './standalone/index.js';
export * from './transports/index.js';
export { ContractChecker, type Violation, type ViolationGroup } from './contracts/index.js';
