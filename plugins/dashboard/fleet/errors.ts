import { defineErrors } from '../../../kernel/index.js';

/** Error codes of the dashboard's requests to a Fleet aggregator. */
export const DASHBOARD_FLEET_ERRORS = defineErrors('dashboard/fleet', {
  FW_DASHBOARD_FLEET_URL: {
    message:
      '`fleetAggregatorURL` of the dashboard is "{url}", but {problem}. Write the mount of an aggregator, e.g. http://fleet:9000/fleet, or a path of this application, e.g. /fleet.',
    cause: 'The option is neither an http(s) URL nor a path, or holds credentials.',
    remedy: 'Correct it, and give credentials as fleetAggregatorUsername and fleetAggregatorPassword.',
  },
  FW_DASHBOARD_FLEET_UNREACHABLE: {
    message: 'The Fleet aggregator at {url} does not answer: {reason}.',
    status: 502,
    cause: 'It is not running, not reachable from this service, or did not answer in time.',
    remedy: 'Start it, or correct fleetAggregatorURL. The page recovers by itself once it answers.',
  },
  FW_DASHBOARD_FLEET_REFUSED: {
    message: 'The Fleet aggregator at {url} refuses the dashboard ({status}): {needs}.',
    status: 502,
    cause: 'The credentials of the dashboard are not those of the aggregator.',
    remedy: 'Compare fleetAggregatorUsername, fleetAggregatorPassword and fleetIngestToken with its options.',
  },
  FW_DASHBOARD_FLEET_ANSWER: {
    message: 'What answers at {url} is no Fleet aggregator of this version: {problem}.',
    status: 502,
    cause: 'fleetAggregatorURL names another service, a proxy in front of it failed, or the answer was too large.',
    remedy: 'Open the address with /api/stats behind it and see what is there.',
  },
  FW_DASHBOARD_FLEET_REQUEST: {
    message: 'The Fleet aggregator cannot use this: {reason}.',
    status: 400,
    cause: 'An id or an imported file is malformed.',
    remedy: 'Do what the sentence says.',
  },
  FW_DASHBOARD_FLEET_GONE: {
    message: 'The Fleet aggregator does not have it: {reason}.',
    status: 404,
    cause: 'Traces are kept in memory only, for a time and up to a number.',
    remedy: 'Open a newer trace, or raise traceTTL and maxTraces of the aggregator.',
  },
  FW_DASHBOARD_FLEET_TOO_LARGE: {
    message: 'The Fleet aggregator takes no file of this size: {reason}.',
    status: 413,
    cause: 'An imported file is larger than maxBodyBytes of the aggregator.',
    remedy: 'Import fewer traces at once, or raise maxBodyBytes.',
  },
});
