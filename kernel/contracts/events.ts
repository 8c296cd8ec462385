import { token } from '../container/token.js';

declare global {
  /**
   * Events of the application's bus: name to payload. A plugin adds its own where it emits them:
   *
   * @example
   * declare global {
   *   interface FwEvents {
   *     'shop.order.placed': { readonly orderId: number };
   *   }
   * }
   */
  interface FwEvents {
    /** Every plugin is ready and the doors are open. */
    'app.started': { readonly name: string; readonly profile: string };
    /** The application is about to stop. */
    'app.stopping': { readonly name: string };
  }
}

/** Names of the events of a bus. */
export type EventName<Events> = keyof Events & string;

/** A listener returns it to end the dispatch: later listeners are not called. */
export const STOP_PROPAGATION: unique symbol = Symbol.for('fw.events.stop');

/** Handles an event. What it returns is ignored, but for {@link STOP_PROPAGATION}. */
export type EventListener<Payload, Name extends string = string> = (
  payload: Payload,
  name: Name,
) => unknown | Promise<unknown>;

/** Listeners of `before` are called first, those of `after` last; within a phase the higher priority goes first. */
export type EventPhase = 'before' | 'normal' | 'after';

/** Priorities with names; any other number is good as well. */
export const EVENT_PRIORITY = { highest: 1_000, high: 100, normal: 0, low: -100, lowest: -1_000 } as const;

/** When and for what a listener is called. */
export interface ListenerOptions<Payload> {
  /** Default `normal`. */
  readonly phase?: EventPhase;
  /** Higher goes first, default 0; equals are called in the order in which they were added. */
  readonly priority?: number;
  /** The listener is called only for payloads for which this is `true`; it answers at once, and what it throws is an error of the listener. */
  readonly filter?: (payload: Payload) => boolean;
}

/**
 * What happens when a listener throws or its promise is rejected:
 * - `continue`: the others are called all the same; errors are counted, logged and collected in the result;
 * - `stop`: the same, but no further listener is called;
 * - `throw`: no further listener is called and `emit` is rejected with the error.
 */
export type ListenerErrorPolicy = 'continue' | 'stop' | 'throw';

/** What came of an event. */
export interface EmitResult {
  /** Listeners that were called. */
  readonly called: number;
  /** A listener ended the dispatch. */
  readonly stopped: boolean;
  /** What listeners threw, in order. */
  readonly errors: readonly unknown[];
}

/** One dispatch, as observers and {@link EventBus.recent} see it. Events that nobody listens to are only counted. */
export interface DispatchRecord {
  readonly name: string;
  /** Milliseconds since the epoch at which it began. */
  readonly at: number;
  readonly durationMs: number;
  /** Listeners that were called. */
  readonly called: number;
  readonly stopped: boolean;
  /** It was emitted with `emitAsync`. */
  readonly async: boolean;
  /** Messages of the errors of its listeners. */
  readonly errors: readonly string[];
  /** Only when the recorder was told to keep payloads. */
  readonly payload?: unknown;
}

/** What a bus has done so far. */
export interface EventMetrics {
  /** Events that have listeners now. */
  readonly events: number;
  /** Listeners that are there now. */
  readonly listeners: number;
  /** Dispatches to at least one listener. */
  readonly dispatches: number;
  /** Events that nobody listened to. */
  readonly unheard: number;
  /** Calls of listeners. */
  readonly calls: number;
  /** Calls that failed. */
  readonly failures: number;
  /** Dispatches that a listener ended. */
  readonly stopped: number;
  /** Calls that a filter left out. */
  readonly filtered: number;
  /** Events of `emitAsync` that found the queue full. */
  readonly dropped: number;
  /** Events of `emitAsync` that wait. */
  readonly waiting: number;
  /** Events of `emitAsync` whose listeners are at work. */
  readonly running: number;
  /** Errors of observers. */
  readonly observerFailures: number;
  /** Milliseconds of all dispatches and of the longest. */
  readonly totalMs: number;
  readonly maxMs: number;
}

/**
 * Typed events within one process. Emitting an event that nobody listens to costs next to nothing, so a plugin may emit
 * freely. For delivery to other processes see {@link EventBackend}.
 */
export interface EventBus<Events = FwEvents> {
  /**
   * Calls the listener for each event of a name.
   * @returns ends this
   * @throws FwError `FW_EVENTS_LISTENERS` when there are far too many, which is what a leak looks like
   */
  on<Name extends EventName<Events>>(
    name: Name,
    listener: EventListener<Events[Name], Name>,
    options?: ListenerOptions<Events[Name]>,
  ): () => void;
  /** Like {@link on}, for the first event only; with a filter, for the first one that passes it. */
  once<Name extends EventName<Events>>(
    name: Name,
    listener: EventListener<Events[Name], Name>,
    options?: ListenerOptions<Events[Name]>,
  ): () => void;
  /** Removes a listener, wherever it was added for that name; it is not called any more, not even by a dispatch under way. */
  off<Name extends EventName<Events>>(name: Name, listener: EventListener<Events[Name], Name>): boolean;
  /** Whether anybody listens; for payloads that are dear to make. */
  has(name: EventName<Events>): boolean;
  /** Calls the listeners one after another and waits for each. Those before the first one that waits are called at once. */
  emit<Name extends EventName<Events>>(
    name: Name,
    payload: Events[Name],
    onError?: ListenerErrorPolicy,
  ): Promise<EmitResult>;
  /**
   * Calls the listeners later, without waiting: after the current work, a bounded number of events at a time.
   * @returns false when the queue was full and the event was dropped
   */
  emitAsync<Name extends EventName<Events>>(name: Name, payload: Events[Name]): boolean;
  /** Resolves when nothing of `emitAsync` waits or runs. */
  idle(): Promise<void>;
  /** Shows every dispatch to an observer once it has ended. @returns ends this */
  observe(observer: (dispatch: DispatchRecord) => void): () => void;
  /** The last dispatches, newest first. */
  recent(): readonly DispatchRecord[];
  metrics(): EventMetrics;
}

export const EventBus = token<EventBus>('fw.EventBus');

/** How the application's bus works, where it differs from the defaults. */
export interface EventBusSettings {
  /** Events of `emitAsync` whose listeners are at work at a time. */
  readonly concurrency?: number;
  /** Events of `emitAsync` that may wait; what comes on top is dropped and counted. */
  readonly queueCapacity?: number;
  /** Dispatches that `recent` remembers; 0 for none. */
  readonly recorded?: number;
  /** Whether they are remembered with their payloads. */
  readonly recordPayloads?: boolean;
}

/** A plugin contributes its settings here; of two that set the same, the later plugin's counts. */
export const EventBusSettings = token<EventBusSettings>('fw.EventBusSettings');

/** Bytes that travel between processes. */
export interface EventMessage {
  readonly topic: string;
  /** Belongs to the subscribers together: none may change it. */
  readonly payload: Uint8Array;
  readonly meta: Readonly<Record<string, string>>;
}

/** Handles a message. A promise is waited for before the next message is handed over. */
export type MessageHandler = (message: EventMessage) => unknown | Promise<unknown>;

/** Meta entry with the key of a message: messages with equal keys arrive in the order in which they were published. */
export const MESSAGE_KEY = 'x-fw-key';

/** From where to read. */
export interface SubscribeOptions {
  /** `earliest` also reads what the backend still keeps; only where it {@link EventBackend.replays}. Default `new`. */
  readonly from?: 'new' | 'earliest';
}

/** What a backend has done so far. */
export interface EventBackendStats {
  readonly subscriptions: number;
  readonly published: number;
  /** Messages that a handler has taken, once per subscription. */
  readonly delivered: number;
  /** Messages whose handler failed. */
  readonly failed: number;
  /** Messages that a subscription was too slow for. */
  readonly dropped: number;
  /** Messages that wait for a handler. */
  readonly waiting: number;
}

/**
 * Carries bytes between processes, or, in memory, within one (SPEC "Events", 2). The in-memory backend is the default;
 * message brokers come as optional packages.
 */
export interface EventBackend {
  /** For messages and the dashboard: `memory`, `kafka`. */
  readonly name: string;
  /** Whether it keeps messages, so that a subscriber can read earlier ones. */
  readonly replays: boolean;
  /**
   * Publishes a copy of the payload. Resolves when the backend has taken it over; handlers run later.
   * @param topic - words of letters, digits, `_` and `-`, joined by dots, up to 249 characters
   * @throws FwError `FW_EVENTS_TOPIC`, `FW_EVENTS_PAYLOAD`, `FW_EVENTS_BACKEND_CLOSED`
   */
  publish(topic: string, payload: Uint8Array, meta?: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Hands the topic's messages to a handler, one at a time. Resolves when messages that are published from now on arrive.
   * Every subscription gets every message. A handler that fails is counted and logged, and the next message comes.
   *
   * @returns ends it: once called, no further call of the handler begins, also when it is called from the handler; may be
   * called more than once
   * @throws FwError `FW_EVENTS_TOPIC`, `FW_EVENTS_BACKEND_CLOSED`, `FW_EVENTS_NO_REPLAY`
   */
  subscribe(topic: string, handler: MessageHandler, options?: SubscribeOptions): Promise<() => Promise<void>>;
  /**
   * Refuses new messages, delivers those that it has accepted, waits for the handlers, and ends every subscription. May be called more than
   * once, but not awaited by a handler, which would wait for itself.
   */
  close(): Promise<void>;
  stats(): EventBackendStats;
}

export const EventBackend = token<EventBackend>('fw.EventBackend');
