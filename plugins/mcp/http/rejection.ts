import type { ServerResponse } from 'node:http';
import { errorResponse, SERVER_ERROR } from '../protocol/json-rpc.js';
import type { RejectionReason } from '../protocol/events.js';

/** Why a request is refused before it becomes a message. */
export interface Rejection {
  readonly status: number;
  readonly reason: RejectionReason;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC error code; default -32000. */
  readonly code?: number;
}

/** Sentence that tells a client that dialled the wrong address where it is (SPEC "Four addresses", rule 2). */
export const CONTROL_ADDRESS =
  'This is the control address of an MCP server (fw), not the address of an application: MCP is at /mcp (older clients: GET /sse), the capability report at /mcp/features.';

/** Answers a rejected request: always a JSON-RPC error, never just a status. */
export function sendRejection(response: ServerResponse, { status, message, headers, code }: Rejection): void {
  // An unread body would otherwise be taken for the next request.
  response.setHeader('Connection', 'close');
  sendJson(response, status, errorResponse(code ?? SERVER_ERROR, message), headers);
}

/** Answers with a JSON document; no response of this address may be cached. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = `${JSON.stringify(body, null, 2)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
