import { token } from '../container/token.js';
import type { Probe, ProbeReport, SubsystemReport } from './probe.js';
import { messageOf } from '../errors/index.js';

const STATUSES: ReadonlySet<string> = new Set(['ok', 'degraded', 'off', 'unknown']);

/**
 * Registry of diagnostics probes. The dashboard's diagnostics endpoint and the tool `fw_diagnose_service` read the same one
 * (SPEC "HTTP endpoints", rule 3).
 */
export class Diagnostics {
  readonly #probes = new Map<string, Probe>();

  /** Registers a probe; one that is already there under the same key is replaced. */
  register(subsystem: string, probe: Probe): void {
    this.#probes.set(subsystem, probe);
  }

  /** Removes a probe. @returns whether there was one */
  unregister(subsystem: string): boolean {
    return this.#probes.delete(subsystem);
  }

  /** Keys of all probes, sorted. */
  registered(): readonly string[] {
    return [...this.#probes.keys()].sort();
  }

  /** One subsystem's report, or undefined when no probe has that key. */
  get(subsystem: string): SubsystemReport | undefined {
    const probe = this.#probes.get(subsystem);
    return probe && { subsystem, ...contained(probe) };
  }

  /** All reports, sorted by key. */
  snapshot(): readonly SubsystemReport[] {
    return this.registered().map((subsystem) => ({ subsystem, ...contained(this.#probes.get(subsystem) as Probe) }));
  }
}

/** The probes of the application: what each subsystem says of its state. */
export const DiagnosticsRegistry = token<Diagnostics>('fw.DiagnosticsRegistry');

// A probe that throws must not break the others, nor be left out: it is reported as unknown, with the error.
function contained(probe: Probe): ProbeReport {
  try {
    const report = probe();
    return STATUSES.has(report.status) ? report : { ...report, status: 'unknown' };
  } catch (error) {
    const text = messageOf(error);
    return { status: 'unknown', summary: 'The probe itself failed.', notes: [`probe threw: ${text}`] };
  }
}
