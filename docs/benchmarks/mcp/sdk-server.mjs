// What a server of 40 tools looks like when it is written with the SDK as its documentation shows it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'forty-tools', version: '1.0.0' });
for (let at = 1; at <= 40; at++) {
  server.registerTool(
    `tool_${at}`,
    {
      title: `Tool ${at}`,
      description: `Does the work number ${at} in a project and says what was done, in one sentence or two.`,
      inputSchema: {
        path: z.string().describe('Folder of the project, below the workspace.'),
        name: z.string().min(1).max(64).describe('Name of what is made.'),
        force: z.boolean().optional().describe('Whether files that exist are overwritten.'),
      },
      annotations: { readOnlyHint: at % 2 === 0 },
    },
    ({ path, name }) => ({ content: [{ type: 'text', text: `${path}/${name}` }] }),
  );
}
await server.connect(new StdioServerTransport());
