import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Header with the client of a forwarded request. Sent only over the socket between the processes. */
export const PEER = 'fw-peer';

/** The client of a connection. */
interface Peer {
  readonly address: string | undefined;
  readonly port: number | undefined;
  readonly encrypted: boolean;
}

/** Facts about the connection of a request, for the process that answers it. */
export function peerText({ socket }: Pick<IncomingMessage, 'socket'>): string {
  const { remoteAddress: address, remotePort: port } = socket;
  return JSON.stringify({ address, port, encrypted: (socket as Partial<TLSSocket>).encrypted === true } satisfies Peer);
}

/** Gives a forwarded request the client address of its original connection, by which local access and rate limits are decided. */
export function takePeer(request: IncomingMessage): void {
  const { headers, rawHeaders, socket } = request;
  const text = headers[PEER];
  delete (headers as IncomingHttpHeaders & { [PEER]?: unknown })[PEER];
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === PEER);
  if (at >= 0) rawHeaders.splice(at, 2);
  const peer = typeof text === 'string' ? (JSON.parse(text) as Peer) : undefined;
  const known = { remoteAddress: peer?.address, remotePort: peer?.port, encrypted: peer?.encrypted === true };
  for (const [name, value] of Object.entries(known))
    Object.defineProperty(socket as Socket, name, { value, configurable: true, enumerable: true });
}
