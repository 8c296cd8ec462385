import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';

/**
 * A driver's connection to a server, with an error listener from the start: an error while it is idle, such as a shutdown of the server,
 * would otherwise end the process.
 */
export class WatchedClient<Client extends EventEmitter> {
  #isLost = false;

  /** @param streamOf - its socket, whose destruction reliably ends the connection */
  constructor(
    readonly client: Client,
    private readonly streamOf: (client: Client) => Duplex,
  ) {
    const lost = () => void (this.#isLost = true);
    client.on('error', lost);
    client.on('end', lost);
  }

  /** Whether the connection has ended, or is about to end. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Closes the connection at once. Waiting calls fail. */
  destroy(): void {
    this.#isLost = true;
    this.streamOf(this.client).destroy();
  }

  /**
   * Waits for a response, and closes the connection if there is none in time.
   *
   * @param patience - milliseconds; 0 for as long as it takes
   */
  async within<Result>(patience: number, asked: () => Promise<Result>): Promise<Result> {
    const timer = patience > 0 ? setTimeout(() => this.destroy(), patience) : undefined;
    try {
      return await asked();
    } finally {
      clearTimeout(timer);
    }
  }
}
