import type { BlastRadius, Incident } from '../../../kernel/contracts/fleet-wire.js';

/** Incidents that are remembered. */
const CAPACITY = 100;

/** Remembers when incidents opened, peaked and ended; the oldest are forgotten. */
export class IncidentLog {
  #incidents: Incident[] = [];
  #lastId = 0;

  /** Compares what fails now with what was open. */
  update(radii: readonly BlastRadius[], now: number): void {
    const failing = new Map(radii.map((radius) => [radius.service, radius]));
    const unix = Math.floor(now / 1000);
    this.#incidents = this.#incidents.map((incident) => {
      if (incident.state === 'resolved') return incident;
      const radius = failing.get(incident.service);
      failing.delete(incident.service);
      return radius ? continued(incident, radius, unix) : { ...incident, state: 'resolved', resolved_unix: unix };
    });
    for (const radius of failing.values()) this.#open(radius, unix);
  }

  /** Incidents, open ones first, then by how recent they are. */
  list(): readonly Incident[] {
    return this.#incidents.toSorted(
      (a, b) => (a.state === b.state ? 0 : a.state === 'open' ? -1 : 1) || b.last_unix - a.last_unix || b.id - a.id,
    );
  }

  #open(radius: BlastRadius, unix: number): void {
    const id = ++this.#lastId;
    this.#incidents.push({
      ...radius,
      id,
      state: 'open',
      opened_unix: unix,
      last_unix: unix,
      peak_error_rate: radius.error_rate,
    });
    if (this.#incidents.length > CAPACITY) this.#incidents.shift();
  }
}

function continued(incident: Incident, radius: BlastRadius, unix: number): Incident {
  const peak = Math.max(incident.peak_error_rate, radius.error_rate);
  return { ...incident, ...radius, last_unix: unix, peak_error_rate: peak };
}
