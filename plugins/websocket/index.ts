import {
  definePlugin,
  HttpRoutes,
  ok,
  OriginSchema,
  Type,
  type WebSocketHandler,
  withDefault,
} from '../../kernel/index.js';
import { routes } from '../http/index.js';
import { Connections, WebSocketHub } from './hub.js';

export { WebSocketHub } from './hub.js';

/**
 * One WebSocket endpoint (RFC 6455). It sends each message back or to all other connections; the server sends messages through {@link
 * WebSocketHub}. For endpoints with another protocol, call `router.websocket` in a route module.
 */
export default definePlugin({
  id: 'websocket',
  category: 'http',
  description: 'A WebSocket endpoint that echoes or broadcasts, and a hub to send through',
  needs: ['http'],
  provides: [WebSocketHub],
  options: Type.Object({
    path: withDefault(Type.String({ pattern: '^/', description: 'where it is mounted' }), '/ws'),
    broadcast: withDefault(
      Type.Boolean({ description: 'whether a message goes to all other connections instead of back to its sender' }),
      false,
    ),
    roles: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'roles of which a caller needs one; empty: any valid credentials; absent: nothing is asked',
      }),
    ),
    public: Type.Optional(Type.Boolean({ description: 'anybody may call, also below `protect` of middleware/jwt' })),
    origins: Type.Optional(
      Type.Array(OriginSchema(), {
        description: 'origins of browsers that may connect; default the own one; * for any',
      }),
    ),
    maxPayload: withDefault(Type.Integer({ minimum: 1, description: 'bytes of one message' }), 65_536),
    maxBuffered: withDefault(
      Type.Integer({ minimum: 1, description: 'bytes that may wait for one reader before its connection is closed' }),
      1_048_576,
    ),
  }),
  register({ options: { path, broadcast, maxBuffered, ...route }, bind, contribute, probe }) {
    const connections = new Connections(maxBuffered);
    bind(WebSocketHub, () => connections);
    const connect: WebSocketHandler = function connect(socket) {
      connections.add(socket);
      socket.on('message', (data, isBinary) => {
        const message = isBinary ? (data as Buffer) : String(data);
        if (broadcast) connections.broadcast(message, socket);
        else connections.send(message, socket);
      });
    };
    contribute(HttpRoutes, () => routes((router) => router.websocket(path, route, connect), 'websocket'));
    probe('websocket', () =>
      ok(`${connections.size} connections`, {
        detail: { connections: connections.size, closed_unread: connections.notRead, path },
      }),
    );
  },
});
