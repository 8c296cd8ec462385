import { type Requirement } from './requirement.js';

/** What the whole service is. */
// prettier-ignore
export const OVERVIEW: readonly Requirement[] = [
  { id: 'FW-PARTS-01', section: 'What the service does', status: 'proven',
    proofs: [{ test: 'kernel/e2e/scenarios/parts.test.ts', mutation: 'left the ORM out of the reference app' }],
    says: 'fw is a TypeScript web application framework with five parts: agent control plane, HTTP middleware, Fleet tracing, API reference generation and typed ORM.' },
  { id: 'FW-ADDRESSES-01', section: 'Four addresses that must not be conflated', status: 'proven',
    proofs: [{ test: 'kernel/e2e/scenarios/parts.test.ts', mutation: 'answered an application request at the control address' }],
    says: 'Control address, app address, app-MCP address and aggregator address are four kinds of address that are never taken for one another.' },
];
