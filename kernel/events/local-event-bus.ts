import {
  currentRequestContext,
  type RequestContext,
  requestContextEnabled,
  runInRequestContext,
} from '../context/index.js';
import type {
  DispatchRecord,
  EmitResult,
  EventBus,
  EventListener,
  EventMetrics,
  EventName,
  ListenerErrorPolicy,
  ListenerOptions,
} from '../contracts/events.js';
import { isThenable } from '../contracts/thenable.js';
import { AsyncQueue } from './async-queue.js';
import { Channel, type Registration } from './channel.js';
import { Dispatch, type DispatchOwner } from './dispatch.js';
import { type BusSettings, type EventBusOptions, settingsOf } from './options.js';
import { Ring } from '../bounded/index.js';
import { messageOf } from '../errors/index.js';

/** Result of every `emit` without listeners: one shared promise. */
const UNHEARD: Promise<EmitResult> = Promise.resolve(Object.freeze({ called: 0, stopped: false, errors: [] }));

interface Waiting {
  readonly name: string;
  readonly payload: unknown;
  /** Context of the request that emitted the event: its listeners log and trace as part of that request. */
  readonly context: RequestContext | undefined;
}

/** {@link EventBus} within one process. */
export class LocalEventBus<Events = FwEvents> implements EventBus<Events> {
  readonly #settings: BusSettings;
  readonly #channels = new Map<string, Channel>();
  readonly #observers = new Set<(dispatch: DispatchRecord) => void>();
  readonly #queue: AsyncQueue<Waiting>;
  readonly #owner: DispatchOwner;
  /** The last dispatches; for the probe. */
  readonly recorder: Ring<DispatchRecord>;
  readonly #totals = {
    dispatches: 0,
    unheard: 0,
    calls: 0,
    failures: 0,
    stopped: 0,
    filtered: 0,
    totalMs: 0,
    maxMs: 0,
  };
  #observerFailures = 0;

  /** @throws FwError `FW_EVENTS_OPTION` */
  constructor(options: EventBusOptions = {}) {
    this.#settings = settingsOf(options);
    const { recorded, concurrency, queueCapacity } = this.#settings;
    this.recorder = new Ring(recorded);
    this.#queue = new AsyncQueue((waiting) => this.#runInContext(waiting), concurrency, queueCapacity);
    this.#owner = {
      clock: this.#settings.clock,
      removeOnce: (channel, registration) => this.#remove(channel, (each) => each === registration),
      failed: (channel, registration, error) => this.#listenerFailed(channel, registration, error),
    };
  }

  /** How the bus was set up; for the probe. */
  get settings(): Readonly<BusSettings> {
    return this.#settings;
  }

  on<Name extends EventName<Events>>(
    name: Name,
    listener: EventListener<Events[Name], Name>,
    options: ListenerOptions<Events[Name]> = {},
  ): () => void {
    return this.#add(name, listener, options, false);
  }

  once<Name extends EventName<Events>>(
    name: Name,
    listener: EventListener<Events[Name], Name>,
    options: ListenerOptions<Events[Name]> = {},
  ): () => void {
    return this.#add(name, listener, options, true);
  }

  off<Name extends EventName<Events>>(name: Name, listener: EventListener<Events[Name], Name>): boolean {
    const channel = this.#channels.get(name);
    return (
      channel !== undefined &&
      this.#remove(channel, (each) => each.listener === (listener as EventListener<never, never>))
    );
  }

  has(name: EventName<Events>): boolean {
    return this.#channels.has(name);
  }

  emit<Name extends EventName<Events>>(
    name: Name,
    payload: Events[Name],
    onError: ListenerErrorPolicy = 'continue',
  ): Promise<EmitResult> {
    const channel = this.#channels.get(name);
    if (channel !== undefined) return this.#emitTo(channel, payload, onError);
    this.#totals.unheard++;
    return UNHEARD;
  }

  emitAsync<Name extends EventName<Events>>(name: Name, payload: Events[Name]): boolean {
    if (this.#channels.has(name)) return this.#queue.add({ name, payload, context: currentRequestContext() });
    this.#totals.unheard++;
    return true;
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  observe(observer: (dispatch: DispatchRecord) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Whether somebody observes; for the probe. */
  get observed(): boolean {
    return this.#observers.size > 0;
  }

  recent(): readonly DispatchRecord[] {
    return this.recorder.newest();
  }

  metrics(): EventMetrics {
    let listeners = 0;
    for (const { registrations } of this.#channels.values()) listeners += registrations.length;
    const { waiting, running, dropped } = this.#queue;
    const observerFailures = this.#observerFailures;
    return { events: this.#channels.size, listeners, ...this.#totals, waiting, running, dropped, observerFailures };
  }

  #add<Payload>(
    name: string,
    listener: EventListener<Payload, never>,
    options: ListenerOptions<Payload>,
    once: boolean,
  ): () => void {
    const channel = this.#channels.get(name) ?? new Channel(name, this.#settings.maxListeners);
    const added = channel.add(listener, options, once);
    this.#channels.set(name, channel);
    return () => void this.#remove(channel, (each) => each === added);
  }

  // A channel without listeners is deleted, so that short-lived names do not pile up and `emit` returns at once.
  #remove(channel: Channel, which: (registration: Registration) => boolean): boolean {
    const removed = channel.remove(which);
    const isCurrent = this.#channels.get(channel.name) === channel;
    if (isCurrent && channel.registrations.length === 0) this.#channels.delete(channel.name);
    return removed;
  }

  async #emitTo(channel: Channel, payload: unknown, onError: ListenerErrorPolicy): Promise<EmitResult> {
    const dispatch = new Dispatch(this.#owner, channel, payload, onError);
    const pending = dispatch.run();
    if (pending) await pending;
    this.#ended(dispatch, false);
    if (dispatch.fatal) throw dispatch.fatal.error;
    return { called: dispatch.called, stopped: dispatch.stopped, errors: dispatch.errors };
  }

  #runInContext(waiting: Waiting): Promise<void> | undefined {
    if (!requestContextEnabled()) return this.#runQueued(waiting);
    return runInRequestContext(waiting.context, () => this.#runQueued(waiting));
  }

  #runQueued({ name, payload }: Waiting): Promise<void> | undefined {
    const channel = this.#channels.get(name);
    if (channel === undefined) {
      // All listeners were removed after the event was queued.
      this.#totals.unheard++;
      return undefined;
    }
    const dispatch = new Dispatch(this.#owner, channel, payload, 'continue');
    const pending = dispatch.run();
    if (pending) return pending.then(() => this.#ended(dispatch, true));
    this.#ended(dispatch, true);
    return undefined;
  }

  #ended(dispatch: Dispatch, async: boolean): void {
    const totals = this.#totals;
    const durationMs = dispatch.elapsedMs();
    totals.dispatches++;
    totals.calls += dispatch.called;
    totals.filtered += dispatch.filtered;
    totals.totalMs += durationMs;
    if (dispatch.stopped) totals.stopped++;
    if (durationMs > totals.maxMs) totals.maxMs = durationMs;
    if (this.recorder.capacity === 0 && this.#observers.size === 0) return;
    const record = recordOf(dispatch, durationMs, async);
    this.recorder.push(this.#settings.recordPayloads ? { ...record, payload: dispatch.payload } : record);
    for (const observer of this.#observers) this.#show(record, observer);
  }

  // An exception of an observer must not reach the emitter, nor the rejection of an async one the process.
  #show(record: DispatchRecord, observer: (dispatch: DispatchRecord) => unknown): void {
    try {
      const pending = observer(record);
      if (isThenable(pending)) pending.then(undefined, (error: unknown) => this.#observerFailed(record, error));
    } catch (error) {
      this.#observerFailed(record, error);
    }
  }

  #observerFailed({ name }: DispatchRecord, error: unknown): void {
    this.#observerFailures++;
    this.#settings.log?.error({ event: name, err: error }, `An observer of event ${name} failed.`);
  }

  #listenerFailed({ name }: Channel, { listener }: Registration, error: unknown): void {
    this.#totals.failures++;
    const fields = { event: name, listener: listener.name || '(anonymous)', err: error };
    this.#settings.log?.error(fields, `A listener of event ${name} failed: ${messageOf(error)}`);
  }
}

const NO_TEXTS: readonly string[] = Object.freeze([]);

function recordOf(dispatch: Dispatch, durationMs: number, async: boolean): DispatchRecord {
  const { at, called, stopped, channel } = dispatch;
  const errors = dispatch.errors.length === 0 ? NO_TEXTS : dispatch.errors.map(messageOf);
  return { name: channel.name, at, durationMs, called, stopped, async, errors };
}
