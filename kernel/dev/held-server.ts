import type { AddressInfo, Server, Socket } from 'node:net';

/** A server whose connections are accepted by another process, which hands them over. */
export class HeldServer {
  /** Resolves to the server itself once its address is open. */
  readonly opened: Promise<HeldServer>;
  readonly held = true;
  readonly #sockets = new Set<Socket>();
  #address: AddressInfo | undefined;
  #settle: { readonly open: () => void; readonly refuse: (error: Error) => void } | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(
    private readonly server: Server,
    private readonly isReplaced: () => boolean,
  ) {
    this.opened = new Promise((resolve, reject) => {
      this.#settle = { open: () => resolve(this), refuse: reject };
    });
  }

  /** Where the other process listens. */
  get address(): AddressInfo {
    if (this.#address === undefined) throw new TypeError('The address is not open.');
    return this.#address;
  }

  /** Whether each connection is closed after its current request. */
  get isRetiring(): boolean {
    return this.isReplaced();
  }

  /** The other process listens. */
  open(address: AddressInfo): void {
    this.#address = address;
    // On this event the server starts to check for connections that are too slow.
    this.server.emit('listening');
    this.#settle?.open();
  }

  /** The other process cannot listen there. */
  refuse({ code, message }: { readonly code: string; readonly message: string }): void {
    this.#settle?.refuse(Object.assign(new Error(message), { code }));
  }

  /** Serves a connection (https://nodejs.org/api/http.html#event-connection). */
  take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#onEmpty?.();
    });
    this.server.emit('connection', socket);
  }

  /** Resolves when no connection is left; no new one comes, since the other process keeps them. */
  async close(): Promise<void> {
    if (this.#sockets.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    // The server never listened: this only ends its check for slow connections.
    this.server.close();
  }
}
