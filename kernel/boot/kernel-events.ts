import type { ServiceContainer, Token } from '../container/index.js';
import type { Clock } from '../contracts/clock.js';
import { EventBackend, EventBus, EventBusSettings } from '../contracts/events.js';
import type { Logger } from '../contracts/logger.js';
import type { Diagnostics } from '../diagnostics/index.js';
import { eventsProbe, LocalEventBus, MemoryEventBackend } from '../events/index.js';
import type { PluginManifest } from '../plugin/index.js';
import { withDeadline } from './deadline.js';

const DRAIN_DEADLINE_MS = 5_000;

/** The event tokens that the kernel provides: the backend only when no plugin brings another one (SPEC "Events", 2). */
export function eventTokens(manifests: readonly PluginManifest[]): readonly Token<unknown>[] {
  const isReplaced = manifests.some(({ provides = [] }) => provides.includes(EventBackend));
  return isReplaced ? [EventBus] : [EventBus, EventBackend];
}

/** The application's event bus and its own backend, from boot to stop. */
export class KernelEvents {
  #bus: LocalEventBus | undefined;
  #settings: () => readonly EventBusSettings[] = () => [];
  #backend: MemoryEventBackend | undefined;
  #stopping: Promise<unknown> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  bind(container: ServiceContainer, diagnostics: Diagnostics, tokens: ReadonlySet<Token<unknown>>): void {
    this.#settings = () => container.all(EventBusSettings);
    container.bind(EventBus, 'kernel', () => this.#openBus());
    if (tokens.has(EventBackend)) container.bind(EventBackend, 'kernel', () => this.#openBackend());
    diagnostics.register('events', () => eventsProbe(this.#openBus(), this.#backend));
  }

  started(name: string, profile: string): void {
    this.#openBus().emitAsync('app.started', { name, profile });
  }

  /** Calls listeners before any plugin stops; {@link drain} waits for the promises that they return. */
  stopping(name: string): void {
    this.#stopping = this.#openBus().emit('app.stopping', { name });
  }

  /** Waits, up to a deadline, until emitted events and published messages have reached their listeners. */
  async drain(): Promise<void> {
    const drained = async (): Promise<void> => {
      await this.#stopping;
      await this.#backend?.close();
      await this.#bus?.idle();
    };
    await withDeadline(drained, DRAIN_DEADLINE_MS).catch(() => {
      const { waiting, running } = this.#openBus().metrics();
      this.log.warn(
        { waiting, running },
        `Events were still being handled after ${DRAIN_DEADLINE_MS} ms; they are left.`,
      );
    });
  }

  // Made on first use: by then the plugins have contributed their settings.
  #openBus(): LocalEventBus {
    return (this.#bus ??= new LocalEventBus(Object.assign({ clock: this.clock, log: this.log }, ...this.#settings())));
  }

  #openBackend(): MemoryEventBackend {
    return (this.#backend = new MemoryEventBackend({ log: this.log }));
  }
}
