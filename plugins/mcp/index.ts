/**
 * The control plane: MCP servers over stdio and HTTP, and in-process.
 * @packageDocumentation
 */
export { default } from './plugin.js';
export { runMcpServer, type McpServerSurroundings } from './cli/run-mcp-server.js';
export { ModeAppRuntime, ModeGenerator, type ServerMode } from './protocol/mode.js';
export {
  CapFleet,
  CapGeneration,
  CapIntrospection,
  CapKnowledge,
  CapPlanning,
  CapProvisioning,
  CapRuntime,
  CapVerification,
  KNOWN_CATEGORIES,
  newScope,
  parseScope,
  unscopedScope,
  type Scope,
} from './scope/scope.js';
export type { InProcessConfig } from './in-process/config.js';
export { McpEndpoint } from './in-process/mcp-endpoint.js';
export { startInProcess, type InProcessServer } from './in-process/start-in-process.js';
export { ControlServer, type ControlServerOptions } from './http/control-server.js';
export { ControlPlane, type ControlPlaneOptions } from './protocol/control-plane.js';
