import { degraded, ok, type ProbeReport } from '../../kernel/index.js';
import type { Dashboard } from './dashboard.js';

/** Report of subsystem `dashboard`. */
export function dashboardProbe({ options, recorder, logs, sampler, access, live, pages }: Dashboard): ProbeReport {
  const detail = {
    base_path: options.basePath,
    requests_captured: recorder.traffic.requests,
    errors: recorder.traffic.errors,
    live_watchers: live.viewers,
    live_watchers_refused: live.refused,
    plugin_pages: pages.count,
    fleet_view: Boolean(options.fleetAggregatorURL),
    buffered_requests: recorder.records.size,
    dropped_requests: recorder.records.dropped,
    dropped_log_lines: logs.dropped,
    tracked_routes: recorder.trackedRoutes,
    watched: recorder.watched,
    auth_enabled: access.enforced,
    service_token: Boolean(options.serviceToken),
    ...access.stats(),
  };
  if (sampler.stale) return degraded('The sampler has not run for more than 5 s.', { detail });
  const { openness } = access;
  if (openness !== undefined) return degraded('No credentials are set.', { detail, notes: [openness] });
  const { requests, errors } = recorder.traffic;
  return ok(`${requests} request${requests === 1 ? '' : 's'} seen, ${errors} with 5xx`, { detail });
}
