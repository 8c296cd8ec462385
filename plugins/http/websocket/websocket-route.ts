import type { WebSocket, WebSocketServer } from 'ws';
import { fwError, type HttpContext, type WebSocketHandler, type WebSocketRouteOptions } from '../../../kernel/index.js';
import { HTTP_ERRORS } from '../errors.js';
import { mayConnect } from '../own-page.js';
import { DRAINING } from '../server-sent-events.js';
import { type Upgrade, upgradeOf } from '../upgrade-dispatch.js';

type Limits = Pick<WebSocketRouteOptions, 'origins' | 'maxPayload' | 'heartbeatMs'>;

/** 1 MiB. */
const MAX_PAYLOAD = 1024 * 1024;
const HEARTBEAT_MS = 30_000;
/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
/** Names of protocols, separated by commas (RFC 6455, section 11.3.4). */
const PROTOCOLS = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** The last step of a WebSocket route: checks the origin, completes the handshake, and passes the connection on. */
export function webSocketStep(
  handler: WebSocketHandler,
  { origins, maxPayload = MAX_PAYLOAD, heartbeatMs = HEARTBEAT_MS }: Limits,
) {
  let server: Promise<WebSocketServer> | undefined;
  return async function connect(context: HttpContext): Promise<void> {
    const upgrade = upgradeOf(context.req) as Upgrade;
    checkHandshake(context);
    if (!mayConnect(context, origins)) throw fwError(HTTP_ERRORS.FW_HTTP_ORIGIN_REFUSED, {});
    const socket = await shakeHands(context, upgrade, await (server ??= makeServer(maxPayload)));
    keepAlive(socket, heartbeatMs);
    closeOnDrain(socket, context);
    await run(handler, socket, context);
  };
}

async function makeServer(maxPayload: number): Promise<WebSocketServer> {
  const ws = await import('ws');
  return new ws.WebSocketServer({ noServer: true, maxPayload, clientTracking: false });
}

// Checked here, because `ws` would write errors directly to the socket; these pass through the middlewares.
function checkHandshake({ req }: HttpContext): void {
  const refuse = (problem: string): never => {
    throw fwError(HTTP_ERRORS.FW_HTTP_UPGRADE_REFUSED, { problem });
  };
  if (req.headers.upgrade?.toLowerCase() !== 'websocket') refuse('the protocol in Upgrade is not websocket');
  if (req.headers['sec-websocket-version'] !== '13') refuse('Sec-WebSocket-Version must be 13');
  if (!/^[+/0-9A-Za-z]{22}==$/.test(req.headers['sec-websocket-key'] ?? '')) refuse('Sec-WebSocket-Key is malformed');
  const protocols = req.headers['sec-websocket-protocol'];
  if (protocols === undefined) return;
  if (!PROTOCOLS.test(protocols)) refuse('Sec-WebSocket-Protocol is malformed');
  const names = protocols.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) refuse('Sec-WebSocket-Protocol names a protocol twice');
}

function shakeHands(context: HttpContext, { socket, head }: Upgrade, server: WebSocketServer): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new DOMException('The client went away.', 'AbortError'));
    if (socket.destroyed) return gone();
    // `ws` closes a connection without calling back where the client has ended its side.
    socket.once('close', gone);
    server.handleUpgrade(context.req, socket, head, (opened) => {
      socket.off('close', gone);
      // From here on the connection belongs to the protocol, so Koa writes no response.
      context.respond = false;
      context.status = 101;
      context.res.detachSocket(socket as never);
      resolve(opened);
    });
  });
}

function keepAlive(socket: WebSocket, heartbeatMs: number): void {
  if (heartbeatMs <= 0) return;
  let isAlive = true;
  socket.on('pong', () => (isAlive = true));
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, heartbeatMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}

function closeOnDrain(socket: WebSocket, context: HttpContext): void {
  const draining = (context as unknown as { [DRAINING]?: AbortSignal })[DRAINING];
  const close = () => socket.close(GOING_AWAY, 'the server stops');
  if (draining?.aborted) return close();
  draining?.addEventListener('abort', close, { once: true });
  socket.once('close', () => draining?.removeEventListener('abort', close));
}

async function run(handler: WebSocketHandler, socket: WebSocket, context: HttpContext): Promise<void> {
  const fail = (error: unknown) => {
    context.app.emit('error', error, context);
    socket.close(INTERNAL_ERROR);
  };
  // Protocol violations of the client: `ws` closes the connection by itself.
  socket.on('error', (error) => context.app.emit('error', Object.assign(error, { status: 400 }), context));
  try {
    await handler(socket, context);
  } catch (error) {
    fail(error);
  }
}
