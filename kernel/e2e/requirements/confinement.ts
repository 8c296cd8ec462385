import { type Requirement } from './requirement.js';

/** Path confinement of tools, and how external commands are run. */
// prettier-ignore
export const CONFINEMENT: readonly Requirement[] = [
  { id: 'MCP-PATH-01', section: 'MCP server operations', status: 'proven',
    says: 'Path confinement applies to every tool that takes a path.',
    proofs: [{ test: 'plugins/mcp/confinement/confinement.test.ts', mutation: 'did not confine path arguments' }] },
  { id: 'MCP-PATH-02', section: 'MCP server operations', status: 'proven',
    says: 'An absolute path outside every root is refused.',
    proofs: [{ test: 'plugins/mcp/confinement/confinement.test.ts', mutation: 'did not confine path arguments' }] },
  { id: 'MCP-PATH-03', section: 'MCP server operations', status: 'proven',
    says: 'A path that leaves every root by `../` traversal is refused.',
    proofs: [{ test: 'plugins/mcp/confinement/confinement.test.ts', mutation: 'did not confine path arguments' }] },
  { id: 'MCP-PATH-04', section: 'MCP server operations', status: 'proven',
    says: 'A path that resolves outside the roots through a symlink is refused.',
    proofs: [{ test: 'plugins/mcp/confinement/confinement.test.ts', mutation: 'did not confine path arguments' }] },
  { id: 'MCP-PATH-05', section: 'MCP server operations', status: 'proven',
    says: 'Roots and candidate are both symlink-resolved before they are compared.',
    proofs: [{ test: 'plugins/mcp/confinement/confinement.test.ts', mutation: 'compared with the root as it was declared' }] },
  { id: 'MCP-PATH-06', section: 'MCP server operations', status: 'proven',
    proofs: [{ test: 'kernel/fs/confine-path.test.ts', mutation: 'refuseLinks() called for no setting of `links`' }],
    says: 'A path through a filesystem junction is refused.' },
  { id: 'MCP-PATH-07', section: 'MCP server operations', status: 'proven',
    says: 'A path that does not exist yet is allowed, checked against its nearest existing ancestor.',
    proofs: [{ test: 'plugins/mcp/confinement/confinement.test.ts', mutation: 'refused what does not exist yet' }] },
  { id: 'MCP-EXEC-01', section: 'MCP server operations', status: 'proven',
    says: 'No tool builds a shell command: every external command receives an argument array.',
    proofs: [{ test: 'kernel/process/run-process.test.ts', mutation: 'spawned with a shell' }] },
  { id: 'MCP-EXEC-02', section: 'MCP server operations', status: 'proven',
    says: 'A service name that contains shell syntax arrives as one literal argument.',
    proofs: [{ test: 'kernel/process/run-process.test.ts', mutation: 'spawned with a shell' }] },
];
