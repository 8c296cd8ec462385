import type { AddressInfo, Server } from 'node:net';
import { devParent } from '../dev/index.js';

/** Where a server listens. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

/**
 * Connections that may wait to be accepted. Node asks for 511; a burst of more makes the system drop handshakes, and clients see
 * connections that hang for seconds and are reset. The system takes its own limit where that is lower (`net.core.somaxconn`).
 */
export const BACKLOG = 65_535;

/** A listening server. */
export interface Listening {
  readonly address: AddressInfo;
  /** Whether another process, `fw dev`, accepts the connections and hands them over. */
  readonly held: boolean;
  /** Whether this process will soon be replaced: then each connection is closed after its current request. */
  readonly isRetiring: boolean;
  /** Takes no more connections; resolves when those that are open have ended. */
  close(): Promise<void>;
}

/**
 * Says where the application is going to listen. Under `fw dev` the address is opened at once: whoever asks before the application is up waits,
 * or reads what keeps it from starting.
 */
export function expectAt({ host, port }: ListenAddress): void {
  devParent()?.expect({ host, port });
}

/**
 * Opens the address of a server. Under `fw dev` the parent process holds the socket, so that no connection is refused while this process is
 * replaced.
 *
 * @throws what `server.listen` fails with
 */
export function listen(server: Server, { host, port }: ListenAddress): Promise<Listening> {
  const parent = devParent();
  if (parent) return parent.listen(server, host, port);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve({
        address: server.address() as AddressInfo,
        held: false,
        isRetiring: false,
        close: () => new Promise<void>((closed) => server.close(() => closed())),
      });
    });
  });
}
