import { createServer } from 'node:http';
import { once } from 'node:events';

/**
 * node:http with one writeHead and one end.
 *
 * @param {import('../server.mjs').Scenario} scenario
 */
export async function start({ answer }) {
  const server = createServer((request, response) => {
    const url = /** @type {string} */ (request.url);
    if (request.method !== 'GET' || !url.startsWith('/users/')) return response.writeHead(404).end();
    const text = JSON.stringify(answer(url.slice(7)));
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    });
    return response.end(text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}
