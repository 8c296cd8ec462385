export {
  HitCounter,
  countersEnabled,
  countersSince,
  disableCounters,
  enableCounters,
  type CounterLabels,
} from './counters.js';
export { Diagnostics, DiagnosticsRegistry } from './diagnostics.js';
export { degraded, off, ok, type Probe, type ProbeReport, type ProbeStatus, type SubsystemReport } from './probe.js';
