import type { Protocol } from '../../../../kernel/testing/fault-proxy.js';

/** Packets of TDS (https://learn.microsoft.com/openspecs/windows_protocols/ms-tds, 2.2.3.1). */
export const TDS_PROTOCOL: Protocol = {
  lengthOf: (bytes) => (bytes.length < 8 ? undefined : bytes.readUInt16BE(2)),
};
