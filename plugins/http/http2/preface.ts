import type { Socket } from 'node:net';

/** What a client that knows that the server speaks HTTP/2 begins with (RFC 9113, section 3.4). No method of HTTP/1.1 begins so. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** As much of it as nothing else begins with. */
const ENOUGH = 4;

/**
 * Tells what a client without TLS speaks by its first bytes, which are put back.
 *
 * @param patienceMs - a client that says nothing for so long is cut; 0 for no end
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
