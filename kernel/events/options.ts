import { type Clock, systemClock } from '../contracts/clock.js';
import type { Logger } from '../contracts/logger.js';
import { fwError } from '../errors/index.js';
import { EVENTS_ERRORS } from './errors.js';

/** How a bus works. */
export interface EventBusOptions {
  /** Gets a line for each error of a listener or observer. */
  readonly log?: Pick<Logger, 'error'>;
  /** Default the machine's. */
  readonly clock?: Clock;
  /** Dispatches that {@link LocalEventBus.recent} remembers, default 256; 0 for none. */
  readonly recorded?: number;
  /** Whether they are remembered with their payloads, default false: payloads may be large, or secret. */
  readonly recordPayloads?: boolean;
  /** Events of `emitAsync` whose listeners are at work at a time, default 16. */
  readonly concurrency?: number;
  /** Events of `emitAsync` that may wait, default 1 024. */
  readonly queueCapacity?: number;
  /** Listeners of one event, default 1 000. */
  readonly maxListeners?: number;
}

/** Options with their defaults. */
export type BusSettings = Required<Omit<EventBusOptions, 'log'>> & Pick<EventBusOptions, 'log'>;

/** @throws FwError `FW_EVENTS_OPTION` */
export function settingsOf(options: EventBusOptions): BusSettings {
  const settings = {
    clock: systemClock,
    recorded: 256,
    recordPayloads: false,
    concurrency: 16,
    queueCapacity: 1_024,
    maxListeners: 1_000,
    ...options,
  };
  atLeast(settings, 'recorded', 0);
  for (const option of ['concurrency', 'queueCapacity', 'maxListeners'] as const) atLeast(settings, option, 1);
  return settings;
}

/** @throws FwError `FW_EVENTS_OPTION` unless the option is a whole number of at least `least` */
export function atLeast<Options>(options: Options, option: keyof Options & string, least: number): void {
  const value = options[option];
  if (Number.isInteger(value) && (value as number) >= least) return;
  const expected = `a whole number of at least ${least}`;
  throw fwError(EVENTS_ERRORS.FW_EVENTS_OPTION, { option, value: String(value), expected });
}
