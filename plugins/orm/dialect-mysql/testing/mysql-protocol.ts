import type { Protocol } from '../../../../kernel/testing/fault-proxy.js';

/** Packets of MySQL (https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_packets.html). */
export const MYSQL_PROTOCOL: Protocol = {
  lengthOf: (bytes) => (bytes.length < 4 ? undefined : 4 + bytes.readUIntLE(0, 3)),
  lastWords(last) {
    const body = Buffer.concat([Buffer.from([0xff, 0x1d, 0x04]), Buffer.from('#08S01Server shutdown in progress')]);
    return Buffer.concat([Buffer.from([body.length, 0, 0, ((last[3] ?? 0) + 1) % 256]), body]);
  },
};
