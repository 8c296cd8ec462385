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
import { LocalAggregator, SpanFormat } from '../../../kernel/contracts/fleet.js';
import { thisWorker } from '../../../kernel/workers/index.js';
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
  oneWorker: (options) => [settingsOf(options).basePath],
  otherWorkers: {
    provides: [LocalAggregator],
    // Their own server hands what is below that path to the first one.
    register({ options, bind }) {
      const settings = settingsOf(options);
      const processToken = thisWorker()?.secret ?? '';
      const ingestToken = settings.ingestToken || processToken;
      bind(LocalAggregator, (resolve) => {
        const server = resolve.get(HttpServer);
        return { ingestToken, processToken, runsHere: false, get url() { return server.url + settings.basePath; } }; // prettier-ignore
      });
    },
  },
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
      return { ingestToken, processToken, runsHere: true, get url() { return server.url + settings.basePath; } }; // prettier-ignore
    });
    contribute(HttpMiddleware, (resolve) => ({
      name: 'fleet-aggregator',
      handle: fleetApi({
        aggregator: resolve.get(FleetAggregator),
        credentials: resolve.get(Access),
        bodies: resolve.get(Runtime).bodies,
        log,
        intakes: () => resolve.get(Runtime).intakes(),
        formats: resolve.all(SpanFormat),
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
  // Long, because a broker lets a new reader of a group wait until it takes a dead one for gone.
  startDeadlineMs: 60_000,
  start: (services) => services.get(Runtime).open(services.getOptional(EventBackend)),
  ready: (services) => services.get(Runtime).warnAboutAccess(),
  drain: (services) => services.get(Runtime).close(),
});
