// One connection to an MCP server over standard input and output, without a client library between the clock and the pipe.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { jsonLines } from '../harness/index.mjs';

const CLIENT = { name: 'bench', version: '1.0.0' };
const VERSION = '2025-06-18';

/** The handshake, and the request for the tools: ids 1 and 2. */
export const HANDSHAKE = lines(
  { id: 1, method: 'initialize', params: { protocolVersion: VERSION, capabilities: {}, clientInfo: CLIENT } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
);

/** @param {...object} messages */
function lines(...messages) {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
}

/**
 * Starts a server and waits for its tools.
 *
 * @param {readonly string[]} args - of Node
 * @param {string} cwd
 */
export async function connect(args, cwd) {
  const child = spawn(process.execPath, [...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const next = jsonLines(child.stdout);
  child.stdin.write(HANDSHAKE);
  await next();
  const { result } = await next();
  let id = 2;
  return {
    /** @type {{ readonly name: string }[]} */
    tools: result.tools,
    /** @param {string} name @param {object} given */
    call: async (name, given) => {
      child.stdin.write(lines({ id: ++id, method: 'tools/call', params: { name, arguments: given } }));
      return next();
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
