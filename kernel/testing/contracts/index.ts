/**
 * What every implementation of a contract does, as tests for Jest: a plugin's author runs the suite with the implementation.
 * @packageDocumentation
 */
export { eventBackendContract, type EventBackendContractOptions } from './event-backend.contract.js';
