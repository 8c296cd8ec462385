import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The official client, connected. */
export async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

/** Streamable HTTP with a bearer token. */
export function streamable(url: string, token: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: bearer(token) } });
}

/** HTTP+SSE, as clients of 2024 speak it, with a bearer token. */
export function legacySse(url: string, token: string): SSEClientTransport {
  const headers = bearer(token);
  const withToken = (target: string | URL, init?: RequestInit) =>
    fetch(target, { ...init, headers: { ...(init?.headers as object), ...headers } });
  return new SSEClientTransport(new URL(`${url}/sse`), {
    requestInit: { headers },
    eventSourceInit: { fetch: withToken as never },
  });
}

/** Headers that carry a token. */
export function bearer(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}

/** Text of the first part of a tool's answer. */
export function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content[0]?.text ?? '';
}
