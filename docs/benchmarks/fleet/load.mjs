import assert from 'node:assert/strict';
import { connect } from 'node:net';

/** Different traces and users; ids of one length, so that every answer has one length. */
const REQUESTS = 1_000;

/**
 * Requests as bytes: different users, traces and spans, as a caller that traces would send them.
 *
 * @param {boolean} sampled
 */
function requestsOf(sampled) {
  return Array.from({ length: REQUESTS }, (_, n) => {
    const traceparent = `00-${hex(n, 'a', 32)}-${hex(n, 'b', 16)}-${sampled ? '01' : '00'}`;
    return Buffer.from(
      `GET /users/${1000 + n} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1\r\nAccept: application/json\r\n` +
        `Accept-Encoding: gzip\r\ntraceparent: ${traceparent}\r\n\r\n`,
    );
  });
}

/** @type {(n: number, first: string, length: number) => string} */
const hex = (n, first, length) => first + n.toString(16).padStart(length - 1, '0');

const SAMPLED = requestsOf(true);
const UNSAMPLED = requestsOf(false);

/**
 * Keeps a number of connections busy until the requests are used up: each sends its next request when it has its answer.
 *
 * @param {number} port
 * @param {{ readonly requests: number, readonly connections: number, readonly sampled?: boolean }} plan
 */
export async function load(port, { requests, connections, sampled = true }) {
  const texts = sampled ? SAMPLED : UNSAMPLED;
  let sent = 0;
  const next = () => (sent < requests ? texts[sent++ % REQUESTS] : undefined);
  await Promise.all(Array.from({ length: connections }, () => oneConnection(port, next)));
}

/**
 * @param {number} port
 * @param {() => Buffer | undefined} next
 * @returns {Promise<void>}
 */
function oneConnection(port, next) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    let length = 0;
    const send = () => {
      const request = next();
      if (request) socket.write(request);
      else socket.end(resolve);
    };
    socket.setNoDelay(true).setEncoding('latin1').on('connect', send).on('error', reject);
    socket.on('data', (text) => {
      received += text;
      length ||= lengthOf(received);
      if (length === 0 || received.length < length) return;
      try {
        assert.equal(received.length, length);
        assert.ok(received.startsWith('HTTP/1.1 200 '), received);
      } catch (error) {
        socket.destroy();
        reject(error);
        return;
      }
      received = '';
      send();
    });
  });
}

/**
 * Length of an answer with its headers; 0 while they are not complete.
 *
 * @param {string} text
 */
function lengthOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return 0;
  return end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
}
