import type { Protocol } from '../../../../kernel/testing/fault-proxy.js';

/** Messages of PostgreSQL (https://www.postgresql.org/docs/current/protocol-message-formats.html), without TLS. */
export const POSTGRES_PROTOCOL: Protocol = {
  // The first of a client has no type in front of its length.
  lengthOf(bytes, from, index) {
    const at = from === 'client' && index === 0 ? 0 : 1;
    return bytes.length < at + 4 ? undefined : at + bytes.readUInt32BE(at);
  },
  lastWords() {
    const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
    const message = Buffer.alloc(5);
    message.write('E');
    message.writeUInt32BE(fields.length + 4, 1);
    return Buffer.concat([message, Buffer.from(fields)]);
  },
};
