/** Health of one subsystem. `off` is an answer of its own: it tells "not switched on" from "idle". */
export type ProbeStatus = 'ok' | 'degraded' | 'off' | 'unknown';

/** What a probe says about its subsystem. No secrets: lengths and booleans instead. */
export interface ProbeReport {
  readonly status: ProbeStatus;
  /** One sentence; for `off` it says how to switch the subsystem on. */
  readonly summary: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
}

/** Reads a subsystem's state. Synchronous on purpose: no I/O, no waiting. */
export type Probe = () => ProbeReport;

/** A report with the subsystem's key, as the diagnostics endpoint and `fw_diagnose_service` give it. */
export interface SubsystemReport extends ProbeReport {
  readonly subsystem: string;
}

type Extra = Pick<ProbeReport, 'detail' | 'notes'>;

/** Report of a subsystem that works. */
export const ok = (summary: string, extra: Extra = {}): ProbeReport => ({ status: 'ok', summary, ...extra });
/** Report of a subsystem that works worse than it should; the summary says why. */
export const degraded = (summary: string, extra: Extra = {}): ProbeReport => ({
  status: 'degraded',
  summary,
  ...extra,
});
/** Report of a subsystem that is not switched on; the summary says how to switch it on. */
export const off = (summary: string, extra: Extra = {}): ProbeReport => ({ status: 'off', summary, ...extra });
