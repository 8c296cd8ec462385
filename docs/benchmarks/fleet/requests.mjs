/** Different traces and users; ids of one length, so that every answer has one length. */
const REQUESTS = 1_000;

/** @type {(n: number, first: string, length: number) => string} */
const hex = (n, first, length) => first + n.toString(16).padStart(length - 1, '0');

/**
 * Requests as bytes: different users, traces and spans, as a caller that traces would send them.
 *
 * @param {boolean} sampled
 */
function textsOf(sampled) {
  return Array.from({ length: REQUESTS }, (_, n) => {
    const traceparent = `00-${hex(n, 'a', 32)}-${hex(n, 'b', 16)}-${sampled ? '01' : '00'}`;
    return Buffer.from(
      `GET /users/${1000 + n} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: bench/1\r\nAccept: application/json\r\n` +
        `Accept-Encoding: gzip\r\ntraceparent: ${traceparent}\r\n\r\n`,
    );
  });
}

const SAMPLED = textsOf(true);
const UNSAMPLED = textsOf(false);

/** Requests as bytes. @param {boolean} sampled - whether their trace is */
export const requestsOf = (sampled) => (sampled ? SAMPLED : UNSAMPLED);
