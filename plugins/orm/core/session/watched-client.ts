import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';

/**
 * A driver's connection to a server, watched from its first moment: what it says while nobody waits for it, such as that the server
 * shuts down, would end the process.
 */
export class WatchedClient<Client extends EventEmitter> {
  #isLost = false;

  /** @param streamOf - its socket: the one thing that ends for sure when it is destroyed */
  constructor(
    readonly client: Client,
    private readonly streamOf: (client: Client) => Duplex,
  ) {
    const lost = () => void (this.#isLost = true);
    client.on('error', lost);
    client.on('end', lost);
  }

  /** Whether the connection has ended, or has said that it will. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Ends the connection without a word. What waits for an answer on it fails. */
  destroy(): void {
    this.#isLost = true;
    this.streamOf(this.client).destroy();
  }

  /**
   * Waits for an answer, and ends the connection when there is none.
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
