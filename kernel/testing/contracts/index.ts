/**
 * Test suites for Jest that every implementation of a contract has to pass.
 * @packageDocumentation
 */
export { eventBackendContract, type EventBackendContractOptions } from './event-backend.contract.js';
