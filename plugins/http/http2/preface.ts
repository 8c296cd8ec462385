import type { Socket } from 'node:net';

/** The connection preface of an HTTP/2 client (RFC 9113, section 3.4). No HTTP/1.1 method begins like this. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Bytes that suffice to recognise it. */
const ENOUGH = 4;

/**
 * Detects the protocol of a client without TLS by its first bytes, which are put back.
 *
 * @param patienceMs - a client that sends nothing for so long is disconnected; 0 for no limit
 */
export function whenSpoken(socket: Socket, patienceMs: number, serve: (isHttp2: boolean) => void): void {
  let seen = Buffer.alloc(0);
  const done = () => {
    socket.setTimeout(0);
    socket.off('readable', look).off('end', cut).off('error', cut).off('timeout', cut);
  };
  const cut = () => {
    done();
    socket.destroy();
  };
  const look = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = Buffer.concat([seen, chunk]);
    const isHttp2 = seen.subarray(0, ENOUGH).equals(PREFACE.subarray(0, Math.min(seen.length, ENOUGH)));
    if (isHttp2 && seen.length < ENOUGH) return;
    done();
    socket.unshift(seen);
    serve(isHttp2);
  };
  socket.setTimeout(patienceMs);
  socket.on('readable', look).on('end', cut).on('error', cut).on('timeout', cut);
}
