import type { Incident, IncidentNote } from '../../../../kernel/contracts/fleet-wire.js';
import type { FailureGroup } from './group.js';

/** Incidents that are remembered, notes of each, and causes that are silenced. */
const CAPACITY = 100;
const MAX_NOTES = 50;
const MAX_SILENCES = 100;
/** Seconds for which an incident stays open while its service fails for another cause: a rare failure may come again. */
const GRACE_S = 60;

interface Entry {
  /** Of its cause. */
  key: string;
  incident: Incident;
  /** Whether whole traces have told the cause. */
  isSettled: boolean;
}

/** Event of an incident. */
export type IncidentEvent = 'opened' | 'resolved';

/** Remembers when incidents opened, peaked and ended, and what people said of them; the oldest are forgotten. */
export class IncidentLog {
  readonly #incidents = new Map<number, Entry>();
  /** Each silence by its cause, in seconds; it outlives the incident. */
  readonly #silences = new Map<string, { readonly until: number; readonly length: number }>();
  #lastId = 0;
  #dropped = 0;
  #silencesDropped = 0;

  /** @param onEvent - told of incidents that nobody has silenced */
  constructor(private readonly onEvent: (event: IncidentEvent, incident: Incident) => void = () => undefined) {}

  /** Incidents that newer ones pushed out. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Silences that newer ones pushed out. */
  get silencesDropped(): number {
    return this.#silencesDropped;
  }

  /** Compares current failures with open incidents. */
  update(groups: readonly FailureGroup[], now: number): void {
    const unix = Math.floor(now / 1000);
    const failing = new Map(groups.map((group) => [group.key, group]));
    const services = new Set(
      groups.flatMap(({ radius, consequences }) => [radius, ...consequences].map(({ service }) => service)),
    );
    for (const entry of this.#incidents.values()) {
      if (entry.incident.state === 'resolved') continue;
      // In the future it was before the clock was set back: the grace begins anew.
      if (entry.incident.last_unix > unix) entry.incident = { ...entry.incident, last_unix: unix };
      const group =
        failing.get(entry.key) ??
        sameService(failing, entry.incident) ??
        (entry.isSettled ? undefined : this.#settled(failing, entry));
      if (group) {
        failing.delete(group.key);
        entry.isSettled ||= group.isSettled;
        entry.incident = this.#silenced(entry.key, continued(entry.incident, group, unix), unix);
      } else if (!services.has(entry.incident.service) || unix - entry.incident.last_unix > GRACE_S) {
        this.#resolve(entry, unix);
      }
    }
    const guessed = [...this.#incidents.values()].filter(
      ({ incident, isSettled }) => incident.state === 'open' && !isSettled,
    );
    for (const group of failing.values()) {
      // One that is not settled and shares a service with a guessed one may be the same incident: whole traces will tell.
      if (group.isSettled || !guessed.some(({ incident }) => sharesService(incident, group))) this.#open(group, unix);
    }
  }

  /** Incidents: open ones first, then by the number of affected services, then newest first. */
  list(): readonly Incident[] {
    return [...this.#incidents.values()].map(({ incident }) => incident).sort(byWeight);
  }

  get(id: number): Incident | undefined {
    return this.#incidents.get(id)?.incident;
  }

  /** Records who acknowledged an incident. */
  acknowledge(id: number, by: string | undefined, now: number): Incident | undefined {
    return this.#change(id, ({ acknowledged_by: _, ...incident }) => ({
      ...incident,
      acknowledged_unix: Math.floor(now / 1000),
      ...(by !== undefined && { acknowledged_by: by }),
    }));
  }

  /** Silences the cause of an incident for some minutes, even if it comes again; 0 minutes end the silence. */
  silence(id: number, minutes: number, now: number): Incident | undefined {
    const entry = this.#incidents.get(id);
    if (entry === undefined) return undefined;
    const unix = Math.floor(now / 1000);
    this.#silences.delete(entry.key);
    const length = Math.round(minutes * 60);
    if (length > 0) this.#silences.set(entry.key, { until: unix + length, length });
    if (this.#silences.size > MAX_SILENCES) {
      this.#silences.delete(this.#silences.keys().next().value as string);
      this.#silencesDropped++;
    }
    return (entry.incident = this.#silenced(entry.key, entry.incident, unix));
  }

  /** Adds a note; the oldest one is dropped when there are too many. */
  note(id: number, note: IncidentNote): Incident | undefined {
    return this.#change(id, (incident) => ({ ...incident, notes: [...incident.notes, note].slice(-MAX_NOTES) }));
  }

  #change(id: number, change: (incident: Incident) => Incident): Incident | undefined {
    const entry = this.#incidents.get(id);
    return entry && (entry.incident = change(entry.incident));
  }

  // The first traces may not have been whole, so that a caller was taken for the cause: it is the same incident once the others show another.
  #settled(failing: ReadonlyMap<string, FailureGroup>, entry: Entry): FailureGroup | undefined {
    const group = [...failing.values()].find((each) => each.isSettled && sharesService(entry.incident, each));
    if (group === undefined || this.#isOpen(group.key)) return undefined;
    entry.key = group.key;
    return group;
  }

  #isOpen(key: string): boolean {
    return [...this.#incidents.values()].some((entry) => entry.key === key && entry.incident.state === 'open');
  }

  #open({ key, radius, cause, consequences, isSettled }: FailureGroup, unix: number): void {
    const incident: Incident = {
      ...radius,
      id: ++this.#lastId,
      state: 'open',
      opened_unix: unix,
      last_unix: unix,
      peak_error_rate: radius.error_rate,
      ...(cause && { cause }),
      consequences,
      notes: [],
    };
    const entry = { key, incident: this.#silenced(key, incident, unix), isSettled };
    this.#incidents.set(incident.id, entry);
    this.#forgetOldest();
    this.#tell('opened', entry.incident);
  }

  #resolve(entry: Entry, unix: number): void {
    entry.incident = this.#silenced(entry.key, { ...entry.incident, state: 'resolved', resolved_unix: unix }, unix);
    this.#tell('resolved', entry.incident);
  }

  #tell(event: IncidentEvent, incident: Incident): void {
    if (incident.silenced_until_unix === undefined) this.onEvent(event, incident);
  }

  #silenced(key: string, { silenced_until_unix: _, ...incident }: Incident, unix: number): Incident {
    const silence = this.#silences.get(key);
    if (silence === undefined || silence.until <= unix) return incident;
    // No silence has more left than its length, unless the clock was set back: then it begins anew.
    const until = Math.min(silence.until, unix + silence.length);
    this.#silences.set(key, { ...silence, until });
    return { ...incident, silenced_until_unix: until };
  }

  // Forgets resolved incidents before open ones.
  #forgetOldest(): void {
    if (this.#incidents.size <= CAPACITY) return;
    const ids = [...this.#incidents.keys()];
    const over = ids.find((id) => this.get(id)?.state === 'resolved');
    this.#incidents.delete(over ?? (ids[0] as number));
    this.#dropped++;
  }
}

function sharesService(incident: Incident, { radius, consequences }: FailureGroup): boolean {
  const mine = new Set([incident, ...incident.consequences].map(({ service }) => service));
  return [radius, ...consequences].some(({ service }) => mine.has(service));
}

// Matches by service, because the traces that show the cause may have been evicted, or arrived only now.
function sameService(
  failing: ReadonlyMap<string, FailureGroup>,
  { service, cause }: Incident,
): FailureGroup | undefined {
  return [...failing.values()].find(
    (group) => group.radius.service === service && (cause === undefined || group.cause === undefined),
  );
}

function continued(incident: Incident, { radius, cause, consequences }: FailureGroup, unix: number): Incident {
  const peak = Math.max(incident.peak_error_rate, radius.error_rate);
  return { ...incident, ...radius, ...(cause && { cause }), consequences, last_unix: unix, peak_error_rate: peak };
}

function byWeight(a: Incident, b: Incident): number {
  const rank = ({ state }: Incident) => (state === 'open' ? 0 : 1);
  const weight = ({ affected, consequences }: Incident) => Math.max(affected.length, consequences.length);
  return rank(a) - rank(b) || weight(b) - weight(a) || b.last_unix - a.last_unix || b.id - a.id;
}
