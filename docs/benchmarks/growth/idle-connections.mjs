import { once } from 'node:events';
import { connect } from 'node:net';

/** Opened at a time: fewer than any system lets wait to be accepted. */
const AT_ONCE = 100;

/**
 * Connections that have had one answer and are kept open by the server.
 *
 * @param {number} port
 * @param {number} count
 * @param {Buffer} request
 * @returns {Promise<() => void>} closes them
 */
export async function idleConnections(port, count, request) {
  /** @type {import('node:net').Socket[]} */
  const open = [];
  while (open.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - open.length) }, () => answered(port, request));
    open.push(...(await Promise.all(some)));
  }
  return () => open.forEach((socket) => socket.destroy());
}

/** @type {(port: number, request: Buffer) => Promise<import('node:net').Socket>} */
async function answered(port, request) {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(request);
  const [answer] = await once(socket, 'data');
  if (!String(answer).startsWith('HTTP/1.1 200 ')) throw new Error(`not the answer that was asked for: ${answer}`);
  // What the server does from now on, such as to end the connection, is not what is measured; the next request would say so.
  socket.on('error', () => {});
  return socket;
}
