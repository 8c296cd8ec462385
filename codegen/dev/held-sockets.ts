import { BACKLOG } from '../../kernel/net/index.js';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Gets the connections of an address. */
export interface Receiver {
  /** @returns whether it takes the connection */
  take(address: string, socket: Socket): Promise<boolean>;
}

/** An address that could not be opened. */
interface ListenFailure {
  readonly code: string;
  readonly message: string;
}

interface Held {
  readonly server: Server;
  /** Connections that no receiver has taken yet; no byte of them was read. */
  readonly waiting: Set<Socket>;
}

/**
 * The listening sockets of an application. They are opened when it first asks for them and stay open while it is replaced; meanwhile
 * connections wait, with everything that their clients have sent.
 */
export class HeldSockets {
  readonly #held = new Map<string, Held>();
  readonly #opening = new Map<string, Promise<AddressInfo | ListenFailure>>();
  #receiver: Receiver | undefined;

  /**
   * Opens an address unless it is open.
   * @param name - tells addresses apart; `127.0.0.1:0` may be asked for several times
   */
  async open(name: string, host: string, port: number): Promise<AddressInfo | ListenFailure> {
    const known = this.#held.get(name)?.server.address();
    if (known) return known as AddressInfo;
    const opening = this.#opening.get(name) ?? this.#open(name, host, port);
    this.#opening.set(name, opening);
    return opening.finally(() => this.#opening.delete(name));
  }

  async #open(name: string, host: string, port: number): Promise<AddressInfo | ListenFailure> {
    const held: Held = { server: createServer({ pauseOnConnect: true }), waiting: new Set() };
    const failure = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      held.server.once('error', resolve);
      held.server.listen({ port, host, backlog: BACKLOG }, () => resolve(undefined));
    });
    if (failure) return { code: failure.code ?? 'UNKNOWN', message: failure.message };
    // Further errors are those of connections that could not be accepted, such as for want of file descriptors.
    held.server.on('error', () => undefined);
    held.server.on('connection', (socket) => this.#arrived(name, held, socket));
    this.#held.set(name, held);
    return held.server.address() as AddressInfo;
  }

  /** Whether an address is open. */
  get areOpen(): boolean {
    return this.#held.size > 0;
  }

  /** Sets the receiver of connections, waiting ones first; undefined makes connections wait. */
  give(receiver: Receiver | undefined): void {
    this.#receiver = receiver;
    if (receiver === undefined) return;
    for (const [name, held] of this.#held) {
      const waiting = [...held.waiting];
      held.waiting.clear();
      for (const socket of waiting) this.#arrived(name, held, socket);
    }
  }

  /** Closes the addresses that are not among these. */
  keep(names: ReadonlySet<string>): void {
    for (const [name, { server, waiting }] of this.#held) {
      if (names.has(name)) continue;
      this.#held.delete(name);
      server.close();
      for (const socket of waiting) socket.destroy();
    }
  }

  #arrived(name: string, held: Held, socket: Socket): void {
    const receiver = this.#receiver;
    const wait = () => {
      if (socket.destroyed) return;
      held.waiting.add(socket);
      socket.once('close', () => held.waiting.delete(socket));
    };
    // A client that disconnects before its request is read must not end this process.
    socket.on('error', () => socket.destroy());
    if (receiver === undefined) return wait();
    void receiver.take(name, socket).then((isTaken) => {
      if (isTaken || socket.destroyed) return;
      // The receiver refused the connection: it is ending.
      if (this.#receiver === receiver) wait();
      else this.#arrived(name, held, socket);
    });
  }
}
