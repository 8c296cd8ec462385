import type { Server, Socket } from 'node:net';
import { isFwError } from '../errors/index.js';
import { HeldServer } from './held-server.js';
import type { AheadModules, FromApp, ReadyReport, ToApp, ToldError } from './messages.js';

/** Variable that `fw dev` sets for the application that it starts: it says that `fw dev` holds the sockets. */
export const DEV_CHILD = 'FW_DEV_CHILD';

let parent: DevParent | undefined;
let isAsked = false;

/** The `fw dev` that started this process; undefined where nobody did. */
export function devParent(): DevParent | undefined {
  if (isAsked) return parent;
  isAsked = true;
  if (process.env[DEV_CHILD] !== undefined && process.send !== undefined) parent = new DevParent();
  // Children of this process must not take themselves for children of `fw dev`.
  delete process.env[DEV_CHILD];
  return parent;
}

/** The other end of the channel to `fw dev`. */
export class DevParent {
  /** Resolves when the application is asked to stop. */
  readonly stop: Promise<void>;
  /** Resolves when the application is built: until then this process only loads the framework. */
  readonly built: Promise<void>;
  /** Resolves when only the configuration is built, and `fw dev` asks where the application will listen. */
  readonly foretell: Promise<void>;
  #isRetiring = false;
  #onAhead: ((modules: AheadModules) => void) | undefined;
  #go: ((how: { readonly greet: boolean }) => void) | undefined;
  readonly #servers: HeldServer[] = [];

  constructor() {
    let built: () => void = () => undefined;
    let foretell: () => void = () => undefined;
    this.built = new Promise((resolve) => (built = resolve));
    this.foretell = new Promise((resolve) => (foretell = resolve));
    this.stop = new Promise((resolve) => {
      const told = { load: built, foretell, stop: resolve };
      process.on('message', (message: unknown, socket?: unknown) => this.#take(message as ToApp, socket, told));
      // `fw dev` was killed, so nobody holds the sockets any more.
      process.once('disconnect', resolve);
    });
  }

  /** Calls back with what can be loaded while nobody waits for it. */
  onAhead(load: (modules: AheadModules) => void): void {
    this.#onAhead = load;
  }

  /** Whether this process will soon be replaced: then each connection is closed after its current request. */
  get isRetiring(): boolean {
    return this.#isRetiring;
  }

  /** Reports that all modules are loaded, and waits until the earlier process has stopped. */
  async loaded(): Promise<{ readonly greet: boolean }> {
    const go = new Promise<{ readonly greet: boolean }>((resolve) => (this.#go = resolve));
    this.#tell({ fw: 'loaded' });
    return go;
  }

  /** Reports where the application will listen, if it gets that far. */
  expect({ host, port }: { readonly host: string; readonly port: number }): void {
    this.#tell({ fw: 'expect', host, port });
  }

  /**
   * Asks for the connections of an address.
   * @throws what `server.listen` would fail with, its `code` included
   */
  listen(server: Server, host: string, port: number): Promise<HeldServer> {
    const held = new HeldServer(server, () => this.#isRetiring);
    const id = this.#servers.push(held) - 1;
    this.#tell({ fw: 'listen', id, host, port });
    return held.opened;
  }

  /** Reports that the application is up. */
  ready(report: ReadyReport): void {
    this.#tell({ fw: 'ready', ...report });
  }

  /** Reports the error that ended the application; resolves once the message was sent. */
  async failed(error: unknown, hint?: string): Promise<void> {
    const told: FromApp = { fw: 'failed', error: { ...toldError(error), ...(hint !== undefined && { hint }) } };
    await new Promise<void>((resolve) => void process.send?.(told, undefined, undefined, () => resolve()));
  }

  #take(message: ToApp, socket: unknown, told: Readonly<Record<'load' | 'foretell' | 'stop', () => void>>): void {
    switch (message.fw) {
      case 'ahead':
        return this.#onAhead?.(message);
      case 'go':
        return this.#go?.(message);
      case 'retire':
        this.#isRetiring = true;
        return;
      case 'load':
      case 'foretell':
      case 'stop':
        return told[message.fw]();
      case 'connection':
        // The socket is missing if the client has closed the connection already.
        return socket === undefined ? undefined : this.#servers[message.id]?.take(socket as Socket);
      case 'listening':
        return this.#servers[message.id]?.open(message.address);
      case 'refused':
        return this.#servers[message.id]?.refuse(message);
    }
  }

  #tell(message: FromApp): void {
    // An error means that `fw dev` is gone; the `disconnect` event reports that.
    process.send?.(message, undefined, undefined, () => undefined);
  }
}

function toldError(error: unknown): ToldError {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  const code = isFwError(error) ? error.code : (error as NodeJS.ErrnoException).code;
  // The error names the plugin; the cause has the stack of the application.
  const stack = [error, error.cause].map((each) => (each instanceof Error ? (each.stack ?? '') : '')).join('\n');
  return { ...(code !== undefined && { code }), message: error.message, stack };
}
