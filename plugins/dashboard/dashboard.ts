import {
  AppInfo,
  Clock,
  DashboardPage,
  type Diagnostics,
  DiagnosticsRegistry,
  enableCounters,
  EventBackend,
  EventBus,
  HttpServer,
  LocalDoors,
  Logger,
  type LogLine,
  LogTap,
  milliseconds,
  ModelCatalogue,
  type ModelFacts,
  off,
  type Resolver,
  token,
} from '../../kernel/index.js';
import { ApiReference } from '../../kernel/contracts/docs.js';
import { LocalAggregator } from '../../kernel/contracts/fleet.js';
import { DashboardAccess } from './access/access.js';
import { DashboardFleet } from './fleet/dashboard-fleet.js';
import { LiveHub } from './live/live-hub.js';
import type { DashboardOptions } from './options.js';
import { PluginPages } from './page/plugin-pages.js';
import { UiFiles } from './page/ui-files.js';
import { ErrorRecorder } from './record/error-recorder.js';
import { EventRecorder } from './record/event-recorder.js';
import { levelOf, LogRecorder } from './record/log-recorder.js';
import { PerformanceSampler } from './record/performance-sampler.js';
import { QueryRecorder } from './record/query-recorder.js';
import { recordOf, RequestRecorder } from './record/request-recorder.js';
import { Timelines } from './record/timelines.js';
import { ToolCallRecorder } from './record/tool-call-recorder.js';
import type { PerformancePoint } from './wire/api.js';
import type { LiveSnapshot } from './wire/live.js';

/** The recorders of the dashboard, and its access check. */
export class Dashboard {
  readonly recorder: RequestRecorder;
  readonly logs: LogRecorder;
  readonly errors: ErrorRecorder;
  readonly queries: QueryRecorder;
  readonly events: EventRecorder;
  readonly toolCalls: ToolCallRecorder;
  readonly sampler: PerformanceSampler;
  readonly access: DashboardAccess;
  readonly live: LiveHub;
  /** Undefined without `fleetAggregatorURL`. */
  readonly fleet: DashboardFleet | undefined;
  readonly files = new UiFiles();
  readonly pages: PluginPages;
  readonly diagnostics: Diagnostics;
  readonly info: AppInfo;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly #timelines: Timelines;
  readonly #clock: Clock;
  readonly #ends: (() => void)[] = [];
  #snapshot: LiveSnapshot | undefined;

  /** @throws FwError `FW_DASHBOARD_PAGE`, `FW_DASHBOARD_FLEET_URL` */
  constructor(
    readonly options: DashboardOptions,
    private readonly resolve: Resolver,
  ) {
    const { basePath, maxRequests, maxLogs, maxQueries, slowRequest, slowQuery } = options;
    this.#clock = resolve.get(Clock);
    this.startedAt = this.#clock.now();
    const log = resolve.get(Logger).child({ plugin: 'dashboard' });
    this.info = resolve.get(AppInfo);
    this.diagnostics = resolve.get(DiagnosticsRegistry);
    this.access = new DashboardAccess(options, this.#clock, resolve.get(LocalDoors));
    this.pages = new PluginPages(resolve.all(DashboardPage), basePath);
    this.#timelines = new Timelines(this.#clock);
    const { root } = this.info;
    const requests = { basePath, maxRequests, slowMs: milliseconds(slowRequest), root };
    this.recorder = new RequestRecorder(requests, this.#clock, this.#timelines, log);
    this.queries = new QueryRecorder({ maxQueries, slowMs: milliseconds(slowQuery) }, this.#clock, this.#timelines);
    this.logs = new LogRecorder(maxLogs, this.recorder.isOwn);
    this.errors = new ErrorRecorder(this.#clock, root);
    this.events = new EventRecorder(this.#timelines);
    this.toolCalls = new ToolCallRecorder(this.#clock);
    this.sampler = new PerformanceSampler(this.#clock);
    this.live = new LiveHub(
      () => this.#snapshot,
      () => this.#clock.now(),
    );
    if (options.fleetAggregatorURL) {
      const own = { url: () => this.server().url, aggregator: resolve.getOptional(LocalAggregator) };
      this.fleet = new DashboardFleet(options, own, log);
    }
    this.#connect();
    this.#ends.push(resolve.get(LogTap).subscribe((line) => this.#takeLine(line)));
  }

  /** The server, once it listens. */
  readonly server = (): HttpServer => this.resolve.get(HttpServer);

  /** Models of the application; none where no plugin knows any. */
  readonly models = (): readonly ModelFacts[] => this.resolve.all(ModelCatalogue).flatMap((each) => each.models());

  /** The application's event bus. */
  get bus(): EventBus | undefined {
    return this.resolve.getOptional(EventBus);
  }

  /** The event backend, if a plugin provides one. */
  get backend(): EventBackend | undefined {
    return this.resolve.getOptional(EventBackend);
  }

  /** The API reference, when a plugin provides one. */
  get reference(): ApiReference | undefined {
    return this.resolve.getOptional(ApiReference);
  }

  start(): void {
    enableCounters(this.#clock.now());
    this.sampler.start();
    const observed = this.bus?.observe((dispatch) => this.events.take(dispatch));
    if (observed) this.#ends.push(observed);
    // Distinguishes "no endpoint" from "no requests yet".
    if (!this.diagnostics.registered().includes('mcp')) {
      this.diagnostics.register('mcp', () =>
        off("No MCP endpoint runs. Add plugin(() => import('fw/mcp')) to app.config.ts."),
      );
    }
  }

  stop(): void {
    this.sampler.stop();
    this.live.stop();
    this.fleet?.close();
    for (const end of this.#ends.splice(0)) end();
  }

  // Publishes new records on the live connection.
  #connect(): void {
    const { recorder, queries, events, toolCalls, sampler, live, errors } = this;
    recorder.hasViewers = () => live.viewers > 0;
    queries.hasViewers = () => live.wants('query');
    recorder.onRecord = (detail, error) => {
      if (detail.status >= 400) errors.takeResponse(detail, error, queries.failedStatement(error));
      live.publish('request', recordOf(detail));
    };
    queries.onRecord = (record) => live.publish('query', record);
    events.onRecord = (record) => live.publish('event', record);
    toolCalls.onRecord = (record) => live.publish('tool', record);
    sampler.onPoint = (point) => this.#tick(point);
  }

  #takeLine(line: LogLine): void {
    const entry = this.logs.take(line);
    if (!entry) return;
    const failed = entry.level === 'error' || entry.level === 'panic';
    if (failed) this.errors.takeLine(line, levelOf(line));
    // Lines that a request logs while it runs are steps of its timeline; the line about its end is written after it.
    if (entry.level !== 'http')
      this.#timelines.note({ kind: 'log', name: firstLine(entry.message), duration_ms: 0, failed });
    this.live.publish('log', entry);
  }

  #tick(performance: PerformancePoint): void {
    const { requests, client_errors, errors } = this.recorder.traffic.totals();
    this.#snapshot = {
      type: 'snapshot',
      time: performance.time,
      traffic: this.recorder.traffic.tick(),
      performance,
      totals: { requests, client_errors, errors },
    };
    this.live.broadcast(this.#snapshot);
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** The dashboard of the application, for plugins that publish on its live connection. */
export const DashboardService = token<Dashboard>('fw.Dashboard');
