import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy for clients that cannot send a token. */
export interface TokenProxy {
  readonly port: number;
  /** Sets the target, once its server is up. */
  forwardTo(url: string, token: string): void;
  close(): Promise<void>;
}

/**
 * Passes requests on with a bearer token. Its own name in `Host` is replaced by the target's; any other name is kept, so that the target
 * sees what an attacker's page would send.
 */
export async function tokenProxy(): Promise<TokenProxy> {
  let target = new URL('http://127.0.0.1:1');
  let authorization = '';
  const server: Server = createServer((incoming, outgoing) => {
    const own = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(incoming.headers.host ?? '');
    const headers = { ...incoming.headers, authorization, ...(own && { host: target.host }) };
    const { hostname, port } = target;
    const passed = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo: (url, token) => {
      target = new URL(url);
      authorization = `Bearer ${token}`;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
