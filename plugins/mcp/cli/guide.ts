import { MODE_PURPOSES } from '../protocol/mode.js';
import { scopeWords, type NetworkFacts, type ServerFacts, workspaceWords } from './banner.js';

/** Text for a person who starts a stdio server in a terminal, where silence would look like a hang. */
export function stdioGuide(facts: ServerFacts): string {
  const { command, mode, scope, tools, roots, clientArguments: args } = facts;
  const client = { mcpServers: { fw: { command: 'fw-mcp', args } } };
  return `
${command} speaks MCP on standard input and output now, and waits for a client. Silence is normal; Ctrl-C ends it.

  mode       ${mode}: ${MODE_PURPOSES[mode]}
  transport  stdio: one JSON message per line, no port, no token
  tools      ${tools.length}
  scope      ${scopeWords(scope)}
  ${workspaceWords(roots)}

For a client, e.g. in .mcp.json:

${indented(client)}

Try it without a client:

  echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | fw-mcp ${args.join(' ')}

Over the network instead: --port 2000. Every call on stderr: --log. All flags: --help.

`;
}

/** Text below the banner of a network server. The token itself is never repeated. */
export function networkGuide({ url, mode }: NetworkFacts): string {
  const client = {
    mcpServers: { fw: { type: 'http', url: `${url}/mcp`, headers: { Authorization: 'Bearer ${FW_MCP_TOKEN}' } } },
  };
  return `
Put the token into the environment and ask what it may do:

  export FW_MCP_TOKEN=<the token>
  curl -H "Authorization: Bearer $FW_MCP_TOKEN" ${url}/mcp/features

For a client, e.g. in .mcp.json (mode ${mode}):

${indented(client)}

This is the control address, not the address of an application: that one is an argument of the tools (service_url).

`;
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, '  ');
}
