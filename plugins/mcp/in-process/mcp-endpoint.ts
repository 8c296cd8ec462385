import { token } from '../../../kernel/index.js';
import type { InProcessServer } from './start-in-process.js';

/** The MCP endpoint of an application, from the start of plugin `mcp` on. */
export interface McpEndpoint {
  server: InProcessServer | undefined;
}

export const McpEndpoint = token<McpEndpoint>('fw.McpEndpoint');
