import type { ServerResponse } from 'node:http';
import type { ConnectServer } from '../protocol/sdk-server.js';
import type { Session, Sessions } from './sessions.js';

/** Where clients of HTTP+SSE post their messages. */
export const MESSAGES_PATH = '/messages';

/**
 * Opens a session of HTTP+SSE (MCP 2024-11-05 "Transports"): this response is the stream, messages are posted beside it.
 */
export async function openLegacySession(
  connect: ConnectServer,
  sessions: Sessions,
  response: ServerResponse,
): Promise<void> {
  const { SSEServerTransport } = await import('@modelcontextprotocol/sdk/server/sse.js');
  const transport = new SSEServerTransport(MESSAGES_PATH, response);
  const id = transport.sessionId;
  const server = await connect(transport);
  server.onclose = () => sessions.remove(id);
  const session: Session = {
    handle: (request, response, body) => transport.handlePostMessage(request, response, body),
    close: () => server.close(),
  };
  sessions.add(id, session, response);
}
