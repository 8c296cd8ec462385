import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ConnectServer } from '../protocol/sdk-server.js';
import { MAX_MESSAGE_BYTES } from '../stdio/stdio-server.js';
import type { Sessions } from './sessions.js';

/**
 * Opens a session of Streamable HTTP (MCP 2025-03-26 "Transports") with the `initialize` request that asks for it.
 *
 * Answers are event streams and not single JSON bodies: with JSON bodies the SDK keeps an entry per request until the session
 * ends.
 */
export async function openStreamableSession(
  connect: ConnectServer,
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const id = randomBytes(16).toString('hex');
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    maxRequestBodySize: MAX_MESSAGE_BYTES,
    onsessioninitialized: () => {
      sessions.add(id, {
        handle: (request, response, body) => transport.handleRequest(request, response, body),
        close: () => server.close(),
      });
    },
  });
  const server = await connect(transport as Transport);
  server.onclose = () => sessions.remove(id);
  await transport.handleRequest(request, response, body);
}

/** Whether a body is an `initialize` request. */
export function isInitialize(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some((message) => (message as { method?: unknown } | null)?.method === 'initialize');
}
