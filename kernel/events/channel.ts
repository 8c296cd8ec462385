import type { EventListener, EventPhase, ListenerOptions } from '../contracts/events.js';
import { fwError } from '../errors/index.js';
import { EVENTS_ERRORS } from './errors.js';

/** One listener of one event. */
export interface Registration {
  readonly listener: EventListener<never, never>;
  readonly phase: number;
  readonly priority: number;
  readonly filter: ((payload: never) => boolean) | undefined;
  readonly once: boolean;
  /** False once it is removed, so that a dispatch in progress skips it. */
  active: boolean;
}

const PHASES: Readonly<Record<EventPhase, number>> = { before: 0, normal: 1, after: 2 };

/**
 * The listeners of one event, in the order in which they are called. A change replaces the list: a dispatch in progress keeps the list that
 * it began with, without a copy of its own.
 */
export class Channel {
  registrations: readonly Registration[] = [];

  constructor(
    readonly name: string,
    private readonly limit: number,
  ) {}

  add(listener: EventListener<never, never>, options: ListenerOptions<never>, once: boolean): Registration {
    if (this.registrations.length >= this.limit) {
      throw fwError(EVENTS_ERRORS.FW_EVENTS_LISTENERS, { name: this.name, limit: this.limit });
    }
    const added = registrationOf(listener, options, once);
    const later = this.registrations.findIndex((each) => comesBefore(added, each));
    this.registrations = this.registrations.toSpliced(later < 0 ? this.registrations.length : later, 0, added);
    return added;
  }

  remove(which: (registration: Registration) => boolean): boolean {
    const removed = this.registrations.filter(which);
    for (const each of removed) each.active = false;
    this.registrations = this.registrations.filter((each) => each.active);
    return removed.length > 0;
  }
}

function registrationOf(
  listener: EventListener<never, never>,
  { phase = 'normal', priority = 0, filter }: ListenerOptions<never>,
  once: boolean,
): Registration {
  const refuse = (option: string, value: unknown, expected: string): never => {
    throw fwError(EVENTS_ERRORS.FW_EVENTS_OPTION, { option, value: String(value), expected });
  };
  if (typeof listener !== 'function') refuse('listener', listener, 'a function');
  if (!Object.hasOwn(PHASES, phase)) refuse('phase', phase, 'before, normal or after');
  if (typeof priority !== 'number' || Number.isNaN(priority)) refuse('priority', priority, 'a number');
  if (filter !== undefined && typeof filter !== 'function') refuse('filter', filter, 'a function');
  return { listener, phase: PHASES[phase], priority, filter, once, active: true };
}

function comesBefore(one: Registration, other: Registration): boolean {
  return one.phase === other.phase ? one.priority > other.priority : one.phase < other.phase;
}
