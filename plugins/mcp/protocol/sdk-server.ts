import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Caller, ControlPlane } from './control-plane.js';
import { INVALID_PARAMS, JsonRpcError, METHOD_NOT_FOUND } from './json-rpc.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Puts a server behind a connection. */
export type ConnectServer = (transport: Transport) => Promise<Server>;

/**
 * Puts a control plane behind one connection, with the official SDK. The SDK and its schemas are imported with the first
 * connection that needs them: they would be most of the start-up otherwise.
 */
export async function connectServer(plane: ControlPlane, transport: Transport): Promise<Server> {
  const { Server: SdkServer } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const { serverInfo, capabilities } = plane.handshake();
  const server = new SdkServer(serverInfo, { capabilities });
  server.setRequestHandler(types.InitializeRequestSchema, () => {
    plane.observe({ kind: 'initialized' });
    return { ...plane.handshake() };
  });
  server.setRequestHandler(types.ListToolsRequestSchema, () => plane.list() as never);
  // Not by a schema of the SDK: what it answers to a call without a name is not an error of JSON-RPC.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    const answer = plane.answerTo(method);
    if (answer) return { ...(await answer(params)) };
    if (method !== 'tools/call') throw new JsonRpcError(METHOD_NOT_FOUND, 'Method not found');
    return { ...(await plane.call(toolName(params), params?.['arguments'], callerOf(extra, plane))) };
  };
  await server.connect(transport);
  return server;
}

function toolName(params: Readonly<Record<string, unknown>> | undefined): string {
  const name = params?.['name'];
  if (typeof name === 'string' && name !== '') return name;
  throw new JsonRpcError(
    INVALID_PARAMS,
    'tools/call needs the name of a tool in params.name; tools/list has the names.',
  );
}

function callerOf(extra: Extra, plane: ControlPlane): Caller {
  const progressToken = extra._meta?.progressToken;
  return {
    signal: extra.signal,
    progress: (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message, ...(total !== undefined && { total }) };
      extra
        .sendNotification({ method: 'notifications/progress', params })
        .catch((error: unknown) => plane.dropped(error));
    },
  };
}
