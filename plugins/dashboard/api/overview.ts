import type { SubsystemReport } from '../../../kernel/index.js';
import type { Dashboard } from '../dashboard.js';
import { recordOf } from '../record/request-recorder.js';
import type { OverviewAnswer, StateCounts } from '../wire/api.js';
import { routeStatistics } from './route-statistics.js';

/** Five minutes, second by second. */
const POINTS = 300;
const BUSIEST = 6;
const FAILURES = 6;

/** Answer for the overview page. */
export function overview(dashboard: Dashboard): OverviewAnswer {
  const { recorder, sampler, diagnostics } = dashboard;
  return {
    totals: recorder.traffic.totals(),
    uptime_s: Math.round(process.uptime()),
    traffic: recorder.traffic.history.newest(POINTS).reverse(),
    performance: sampler.history.newest(POINTS).reverse(),
    busiest: routeStatistics(dashboard)
      .filter(({ requests }) => requests > 0)
      .sort((one, other) => other.requests * other.avg_latency_ms - one.requests * one.avg_latency_ms)
      .slice(0, BUSIEST),
    failures: recorder.records.newest(FAILURES, ({ status }) => status >= 500).map(recordOf),
    diagnostics: countsOf(diagnostics.snapshot()),
  };
}

/** How many subsystems are in each state. */
export function countsOf(reports: readonly SubsystemReport[]): StateCounts {
  const count = (status: string) => reports.filter((report) => report.status === status).length;
  return { ok: count('ok'), degraded: count('degraded'), off: count('off'), unknown: count('unknown') };
}
