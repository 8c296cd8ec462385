import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The side that sends. */
export type Side = 'client' | 'server';

/** How a proxy reads the messages of a protocol. */
export interface Protocol {
  /**
   * Length of the message at the beginning of `bytes`; undefined while too few bytes are there.
   *
   * @param index - how many messages this side has sent on the connection before
   */
  lengthOf(bytes: Buffer, from: Side, index: number): number | undefined;
  /** Replaces a message that contains the server's own address; the result has the same length. */
  rewritten?(message: Buffer, from: Side, port: number): Buffer;
  /** The message that the server sends before it closes a connection, as at a shutdown; appended after the last message. */
  lastWords?(last: Buffer, from: Side): Buffer;
}

/** Passes bytes on as they come, without splitting them into messages. */
export const AS_THEY_COME: Protocol = { lengthOf: (bytes) => (bytes.length > 0 ? bytes.length : undefined) };

/**
 * What happens to a connection: reset, closed in order, closed after the server's last message, left open behind that message, or left
 * without an answer.
 */
export type Fault = 'reset' | 'close' | 'lastWords' | 'leaving' | 'silence';

/** A proxy in front of a server that can break connections. */
export class FaultProxy {
  /** Nothing comes through while this is set; connections are still made. */
  isSilent = false;
  #seen = 0;
  #planned: { readonly after: number; readonly fault: Fault } | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    private readonly protocol: Protocol,
  ) {
    this.#server = createServer((near) => this.#carry(near));
  }

  /** A proxy on a free port of this machine. */
  static async to(url: string | URL, protocol: Protocol = AS_THEY_COME): Promise<FaultProxy> {
    const { hostname: host, port } = new URL(url);
    const proxy = new FaultProxy({ host, port: Number(port) }, protocol);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Messages that came through since a fault was planned last. */
  get seen(): number {
    return this.#seen;
  }

  /** Sides of connections that have not ended. */
  get openSides(): number {
    return this.#sockets.size;
  }

  /** Whether the fault that was planned is still to come. */
  get isPlanned(): boolean {
    return this.#planned !== undefined;
  }

  /** Plans one fault after the n-th message from now on, counted over all connections and both sides. */
  plan(after: number, fault: Fault): void {
    this.#seen = 0;
    this.#planned = { after, fault };
  }

  /** Cancels a planned fault that has not happened. */
  unplan(): void {
    this.#planned = undefined;
  }

  /** Ends every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends every connection, and takes no more. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  #carry(near: Socket): void {
    const far = connect(this.target);
    const ways = { client: new Way(near, far, 'client'), server: new Way(far, near, 'server') };
    for (const way of [ways.client, ways.server]) {
      const { from, to } = way;
      from.setNoDelay(true);
      this.#sockets.add(from);
      from.on('data', (data) => this.#pass(way, data));
      from.on('error', () => this.isSilent || to.destroy());
      from.on('end', () => this.isSilent || way.isLost || to.end());
      from.on('close', () => {
        this.#sockets.delete(from);
        if (!this.isSilent && !way.isLost) to.destroy();
      });
    }
    ways.client.other = ways.server;
    ways.server.other = ways.client;
  }

  #pass(way: Way, data: Buffer): void {
    if (this.isSilent || way.isLost) return;
    way.pending = Buffer.concat([way.pending, data]);
    for (;;) {
      const length = this.protocol.lengthOf(way.pending, way.side, way.sent);
      if (length === undefined || length > way.pending.length) return;
      const message = way.pending.subarray(0, length);
      way.pending = way.pending.subarray(length);
      way.sent++;
      way.to.write(this.protocol.rewritten?.(message, way.side, this.port) ?? message);
      if (++this.#seen === this.#planned?.after) return this.#fail(way, this.#planned.fault, message);
    }
  }

  #fail(way: Way, fault: Fault, message: Buffer): void {
    this.#planned = undefined;
    const { client, server } = way.side === 'client' ? { client: way.from, server: way.to } : { client: way.to, server: way.from }; // prettier-ignore
    way.isLost = true;
    if (way.other) way.other.isLost = true;
    // The server still receives everything that was sent before.
    if (fault !== 'silence') server.end();
    if (fault === 'reset') client.resetAndDestroy();
    if (fault === 'close') client.end();
    if (fault === 'lastWords') client.end(this.protocol.lastWords?.(message, way.side) ?? '');
    if (fault === 'leaving') client.write(this.protocol.lastWords?.(message, way.side) ?? '');
  }
}

class Way {
  pending = Buffer.alloc(0);
  sent = 0;
  isLost = false;
  other: Way | undefined;

  constructor(
    readonly from: Socket,
    readonly to: Socket,
    readonly side: Side,
  ) {}
}

/**
 * Messages of Kafka (https://kafka.apache.org/protocol#protocol_common). Clients connect to the address that the broker sends, a host
 * followed by a port of four bytes; that port is replaced by the proxy's.
 */
export function kafkaProtocol(broker: string): Protocol {
  const { hostname, port } = new URL(`kafka://${broker}`);
  const address = (at: number): Buffer => {
    const bytes = Buffer.alloc(hostname.length + 4);
    bytes.write(hostname);
    bytes.writeUInt32BE(at, hostname.length);
    return bytes;
  };
  return {
    lengthOf: (bytes) => (bytes.length < 4 ? undefined : 4 + bytes.readUInt32BE(0)),
    rewritten(message, from, own) {
      const told = address(Number(port));
      const changed = Buffer.from(message);
      if (from === 'client') return changed;
      for (let at = changed.indexOf(told); at >= 0; at = changed.indexOf(told, at + 1)) address(own).copy(changed, at);
      return changed;
    },
  };
}
