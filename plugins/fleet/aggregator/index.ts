import {
  Address,
  Clock,
  definePlugin,
  HttpMiddleware,
  HttpServer,
  HttpUpgrade,
  LocalDoors,
  token,
} from '../../../kernel/index.js';
import { EventBackend } from '../../../kernel/contracts/events.js';
import { LocalAggregator } from '../../../kernel/contracts/fleet.js';
import { type Aggregator } from './aggregator.js';
import { AggregatorRuntime } from './aggregator-runtime.js';
import { Credentials } from './credentials.js';
import { fleetApi } from './fleet-api.js';
import { aggregatorOptions, settingsOf } from './options.js';
import { aggregatorProbe } from './probe.js';

export type {
  AffectedService,
  AggregatorStats,
  BlastRadius,
  CatalogEntry,
  Incident,
  ServiceInfo,
  SpanNode,
  Topology,
  Trace,
  TraceLogs,
  TraceSummary,
} from '../../../kernel/contracts/fleet-wire.js';
export { Aggregator } from './aggregator.js';
export { Credentials } from './credentials.js';
export { AGGREGATOR_ERRORS } from './errors.js';
export { fleetApi } from './fleet-api.js';
export { aggregatorDefaults, settingsOf, type AggregatorConfig } from './options.js';
export { standaloneAggregator } from './standalone.js';

/** The aggregator of the application. */
export const FleetAggregator = token<Aggregator>('fw.FleetAggregator');

const Runtime = token<AggregatorRuntime>('fw.FleetAggregatorRuntime');

const Access = token<Credentials>('fw.FleetAggregatorAccess');

export default definePlugin({
  id: 'fleet/aggregator',
  category: 'fleet',
  description: 'Collects spans of every service and finds the cause of failures',
  options: aggregatorOptions,
  needs: ['http'],
  provides: [FleetAggregator, LocalAggregator, Runtime, Access],
  order: {
    before: ['fleet/tracer', 'middleware/recovery', 'middleware/logging', 'middleware/rate-limit', 'middleware/jwt'],
    because:
      'exports of services must not pass the rate limit and the login of the application, nor be traced themselves',
  },
  register({ options, log, bind, contribute, probe }) {
    const settings = settingsOf(options);
    let runtime: AggregatorRuntime | undefined;
    bind(Access, (resolve) => new Credentials(settings, resolve.get(LocalDoors), resolve.get(Clock)));
    bind(
      Runtime,
      (resolve) => (runtime = new AggregatorRuntime(settings, resolve.get(Access), resolve.get(Clock), log)),
    );
    bind(FleetAggregator, (resolve) => resolve.get(Runtime).aggregator);
    bind(LocalAggregator, (resolve) => {
      const server = resolve.get(HttpServer);
      const { processToken } = resolve.get(Access);
      const ingestToken = settings.ingestToken || processToken;
      return { ingestToken, processToken, get url() { return server.url + settings.basePath; } }; // prettier-ignore
    });
    contribute(HttpMiddleware, (resolve) => ({
      name: 'fleet-aggregator',
      handle: fleetApi({
        aggregator: resolve.get(FleetAggregator),
        credentials: resolve.get(Access),
        log,
        intakes: () => resolve.get(Runtime).intakes(),
      }),
    }));
    contribute(HttpUpgrade, (resolve) => resolve.get(Runtime).upgrade);
    contribute(Address, (resolve) => ({
      label: 'Fleet aggregator',
      url: () => resolve.get(LocalAggregator).url,
      note: () => (resolve.get(Access).isClosed ? 'closed until its credentials are set' : undefined),
    }));
    probe(
      'fleet-aggregator',
      aggregatorProbe(() => runtime),
    );
  },
  // A broker lets the reader of a group wait until it has given up on the one that died.
  startDeadlineMs: 60_000,
  start: (services) => services.get(Runtime).open(services.getOptional(EventBackend)),
  ready: (services) => services.get(Runtime).warnAboutAccess(),
  drain: (services) => services.get(Runtime).close(),
});
