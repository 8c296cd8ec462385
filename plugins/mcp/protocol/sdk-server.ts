import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallSession, type Extra } from '../session/call-session.js';
import { ClientSession } from '../session/client-session.js';
import type { Params } from './answer.js';
import type { CallResult } from './call-result.js';
import type { ControlPlane } from './control-plane.js';
import { INVALID_PARAMS, JsonRpcError, METHOD_NOT_FOUND } from './json-rpc.js';
import { answerTo } from './methods.js';

/** Connects a server to a transport. */
export type ConnectServer = (transport: Transport) => Promise<Server>;

/**
 * Connects a control plane to one transport with the official SDK. The SDK and its schemas are imported with the first connection that
 * needs them, because they would take most of the start-up time.
 *
 * @param session - the client's session, if its `initialize` was answered before
 */
export async function connectServer(
  plane: ControlPlane,
  transport: Transport,
  session = new ClientSession(),
): Promise<Server> {
  const { Server: SdkServer } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const { serverInfo, capabilities } = plane.handshake();
  const server = new SdkServer(serverInfo, { capabilities });
  server.setRequestHandler(types.InitializeRequestSchema, ({ params }) => {
    session.initialized(params);
    plane.observe({ kind: 'initialized' });
    return { ...plane.handshake() };
  });
  server.setRequestHandler(types.ListToolsRequestSchema, () => plane.list() as never);
  // The SDK's own handler would answer it without telling our server.
  server.removeRequestHandler('logging/setLevel');
  // The fallback handler instead of the SDK's schemas, whose answer to a call without a name is no JSON-RPC error.
  server.fallbackRequestHandler = async ({ method, params }, extra) => {
    if (method === 'tools/call') return { ...(await called(plane, params, extra, session)) };
    const answer = answerTo(method, plane);
    if (!answer) throw new JsonRpcError(METHOD_NOT_FOUND, 'Method not found');
    return { ...(await answer(params, { plane, session, signal: extra.signal })) };
  };
  await server.connect(transport);
  return server;
}

async function called(plane: ControlPlane, params: Params, extra: Extra, session: ClientSession): Promise<CallResult> {
  const call = new CallSession(extra, session, (error) => plane.dropped(error));
  const result = await plane.call(toolName(params), params?.['arguments'], call);
  await call.said();
  return result;
}

function toolName(params: Params): string {
  const name = params?.['name'];
  if (typeof name === 'string' && name !== '') return name;
  throw new JsonRpcError(
    INVALID_PARAMS,
    'tools/call needs the name of a tool in params.name; tools/list has the names.',
  );
}
