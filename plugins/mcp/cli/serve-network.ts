import { fwError, type Logger } from '../../../kernel/index.js';
import { MCP_ERRORS } from '../errors.js';
import { isLoopbackHost } from '../../../kernel/net/index.js';
import { newSecret } from '../../../kernel/secrets/index.js';
import { ControlServer } from '../http/control-server.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { bannerLines, type NetworkFacts, type ServerFacts } from './banner.js';
import type { McpServerFlags } from './flags.js';
import { networkGuide } from './guide.js';

/** Outputs of a network server, and the signal that ends it. */
interface NetworkSurroundings {
  readonly stderr: NodeJS.WritableStream;
  /** Whether a person started it at a terminal. */
  readonly terminal: boolean;
  readonly signal: AbortSignal;
}

/**
 * Serves a control address until the signal comes.
 * @throws FwError `FW_MCP_PORT_IN_USE`, `FW_MCP_LISTEN`, `FW_MCP_STRICT_BIND`
 */
export async function serveNetwork(
  plane: ControlPlane,
  flags: McpServerFlags,
  facts: ServerFacts,
  log: Logger,
  { stderr, terminal, signal }: NetworkSurroundings,
): Promise<void> {
  const { host, port } = flags;
  const exposed = !isLoopbackHost(host) && plane.mode === 'generator' && !plane.scope.scoped;
  if (exposed && flags.strictBind) throw fwError(MCP_ERRORS.FW_MCP_STRICT_BIND, { host });
  const token = flags.token === '' ? newSecret() : flags.token;
  const server = new ControlServer({ plane, host, port, token, allowedOrigins: flags.allowedOrigins, log });
  await server.bind();
  server.serve();
  const generatedToken = flags.token === '' ? token : undefined;
  const network: NetworkFacts = { ...facts, url: server.url, host, generatedToken };
  stderr.write(`${bannerLines(network).join('\n')}\n${terminal ? networkGuide(network) : ''}`);
  await aborted(signal);
  await server.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
