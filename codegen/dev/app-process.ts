import type { AddressInfo, Socket } from 'node:net';
import type { LoadedAhead } from '../../kernel/build/index.js';
import { DEV_CHILD, type FromApp, type ReadyReport, type ToApp, type ToldError } from '../../kernel/dev/index.js';
import { type RunningProcess, startProcess } from '../../kernel/process/index.js';
import type { HeldSockets, Receiver } from './held-sockets.js';

/** How an application is started. */
export interface AppStart {
  readonly root: string;
  /** The program `fw`. */
  readonly fw: string;
  readonly profile: string;
  readonly sockets: HeldSockets;
}

/** Milliseconds that requests in flight have to end, before their process is asked to stop. */
const GRACE_MS = 2_000;
/** Milliseconds that it has to end after that. */
const KILL_MS = 500;

/** Outcome of a start. */
export type Outcome =
  | { readonly is: 'loaded' }
  | { readonly is: 'ready'; readonly report: ReadyReport }
  | { readonly is: 'failed'; readonly error: ToldError }
  | { readonly is: 'ended'; readonly how: string };

/** The application as a child process. */
export class AppProcess implements Receiver {
  /** Names of the addresses that it asked for. */
  readonly addresses = new Map<string, number>();
  /** Resolves to the reason if anything but {@link stop} ended the process. */
  readonly crashed: Promise<Extract<Outcome, { is: 'failed' | 'ended' }>>;
  #failure: ToldError | undefined;
  #isStopping = false;
  /** Connections that the process has not confirmed; nobody is told of those that it did not take before it ended. */
  readonly #handedOver = new Set<(isTaken: boolean) => void>();
  #hasEnded = false;
  readonly #loaded: Promise<Outcome>;
  readonly #ready: Promise<Outcome>;

  private constructor(
    private readonly child: RunningProcess,
    private readonly sockets: HeldSockets,
  ) {
    const { channel } = child;
    if (channel === undefined) throw new TypeError('The application was started without a channel.');
    let loaded: (outcome: Outcome) => void = () => undefined;
    let ready: (outcome: Outcome) => void = () => undefined;
    this.#loaded = new Promise((resolve) => (loaded = resolve));
    this.#ready = new Promise((resolve) => (ready = resolve));
    channel.onMessage((message) => {
      const told = message as FromApp;
      if (told.fw === 'loaded') loaded({ is: 'loaded' });
      if (told.fw === 'ready') ready({ is: 'ready', report: told });
      if (told.fw === 'expect') void this.sockets.open(nameOf(told, 0), told.host, told.port);
      if (told.fw === 'listen') void this.#listen(told);
      if (told.fw === 'failed') this.#failure ??= told.error;
    });
    this.crashed = new Promise((resolve) => {
      void child.exited.then(({ exitCode, signal }) => {
        this.#hasEnded = true;
        for (const resolve of this.#handedOver) resolve(false);
        this.#handedOver.clear();
        const outcome = this.#ending(exitCode, signal);
        loaded(outcome);
        ready(outcome);
        if (!this.#isStopping) resolve(outcome);
      });
    });
  }

  /** Starts the process, which loads only the framework at first. */
  static async start({ root, fw, profile, sockets }: AppStart): Promise<AppProcess> {
    const child = await startProcess({
      command: process.execPath,
      args: [...process.execArgv, fw, 'start', '--profile', profile],
      cwd: root,
      // The application inherits the whole environment, as if the user had started it directly.
      env: { ...process.env, [DEV_CHILD]: '1', FW_STARTED_BY: String(process.pid) },
      output: 'inherit',
      channel: true,
    });
    return new AppProcess(child, sockets);
  }

  /** Whether the process is gone. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Lets it load what does not wait for the next change. */
  async loadAhead({ packages, models }: LoadedAhead): Promise<void> {
    await this.#tell({ fw: 'ahead', packages, ...(models !== undefined && { models }) });
  }

  /** Lets it load the built application without starting it, so that the earlier process can still serve. */
  async load(): Promise<Outcome> {
    await this.#tell({ fw: 'load' });
    return this.#loaded;
  }

  /** Lets it say where it will listen, of which only the configuration is built; it cannot be started then. */
  async foretell(): Promise<void> {
    await this.#tell({ fw: 'foretell' });
    await this.#loaded;
  }

  /** Lets it start. @param greet - whether it prints its addresses itself */
  async go(greet: boolean): Promise<Outcome> {
    await this.#tell({ fw: 'go', greet });
    return this.#ready;
  }

  /** Lets it close each connection after its current request. */
  retire(): void {
    void this.#tell({ fw: 'retire' });
  }

  async take(address: string, socket: Socket): Promise<boolean> {
    const id = this.addresses.get(address);
    if (id === undefined || this.#hasEnded || this.#isStopping || this.#failure) return false;
    return new Promise((resolve) => {
      this.#handedOver.add(resolve);
      void this.#tell({ fw: 'connection', id }, socket).then((isSent) => {
        this.#handedOver.delete(resolve);
        resolve(isSent);
      });
    });
  }

  /** Ends it: requests in flight are finished first, within reason. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#tell({ fw: 'stop' });
    const late = setTimeout(() => void this.child.stop({ graceMs: KILL_MS }), GRACE_MS);
    await this.child.exited;
    clearTimeout(late);
  }

  async #listen({ id, host, port }: Extract<FromApp, { fw: 'listen' }>): Promise<void> {
    const same = [...this.addresses.keys()].filter((name) => name.startsWith(`${host}:${port}#`)).length;
    // A fixed port can be opened once. Requests for any port (0) are numbered, so that each gets a port of its own and the same one after a
    // restart.
    const name = nameOf({ host, port }, same);
    const isTaken = port !== 0 && same > 0;
    const opened = isTaken ? TAKEN(host, port) : await this.sockets.open(name, host, port);
    if ('code' in opened) return void this.#tell({ fw: 'refused', id, ...opened });
    this.addresses.set(name, id);
    await this.#tell({ fw: 'listening', id, address: opened satisfies AddressInfo });
  }

  #tell(message: ToApp, socket?: Socket): Promise<boolean> {
    return this.child.channel?.send(message, socket) ?? Promise.resolve(false);
  }

  #ending(exitCode: number | null, signal: string | null): Extract<Outcome, { is: 'failed' | 'ended' }> {
    if (this.#failure) return { is: 'failed', error: this.#failure };
    return { is: 'ended', how: signal === null ? `exit code ${exitCode}` : `signal ${signal}` };
  }
}

const nameOf = ({ host, port }: { readonly host: string; readonly port: number }, count: number): string =>
  `${host}:${port}#${count}`;

const TAKEN = (host: string, port: number) => ({
  code: 'EADDRINUSE',
  message: `listen EADDRINUSE: address already in use ${host}:${port}`,
});
