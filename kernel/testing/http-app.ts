import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type AnyMiddleware, HttpMiddleware, HttpRoutes, type Router } from '../contracts/index.js';
import { definePlugin, type Plugin } from '../plugin/index.js';

/**
 * A plugin with the routes, and middlewares inside all others, that a test needs.
 *
 * @example
 * const app = await bootTestApp({ plugins: [http, routesUnderTest((router) => router.get('/', () => 'hi'))] });
 */
export function routesUnderTest(
  register: (router: Router) => void,
  middlewares: readonly AnyMiddleware[] = [],
): Plugin<object> {
  return definePlugin({
    id: 'app',
    category: 'app',
    description: 'Routes under test',
    register({ contribute }) {
      contribute(HttpRoutes, () => ({ name: 'routes under test', register }));
      for (const handle of middlewares) contribute(HttpMiddleware, () => ({ name: handle.name, handle }));
    },
  });
}

/** A server of a plain Koa application. */
export interface PlainServer {
  readonly url: string;
  readonly port: number;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a plain Koa application on a free port. */
export async function servePlain(app: { callback(): RequestListener }): Promise<PlainServer> {
  // Longer than a busy machine may delay a test between two requests over one connection.
  const server = createServer({ keepAliveTimeout: 65_000 }, app.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections()));
  return { url: `http://127.0.0.1:${port}`, port, [Symbol.asyncDispose]: close };
}

/** Sends bytes as they are; resolves to everything that came back when the server has closed. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  // Not `end`: Node aborts running requests when the client closes its half of the connection.
  socket.write(bytes, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}
