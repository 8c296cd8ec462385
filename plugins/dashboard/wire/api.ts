// Answers of the JSON API: types only, so that the server and the browser can import them alike. Times are RFC 3339.
import type { ToolCall } from '../../../kernel/contracts/tool-calls.js';

/** One request, as `GET {base}/api/requests` gives it. */
export interface RequestRecord {
  readonly id: string;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** Pattern of the route that answered; empty when none matched. */
  readonly route: string;
  readonly status: number;
  readonly duration_us: number;
  readonly duration_ms: number;
  readonly ip: string;
  readonly user: string;
  readonly user_agent: string;
  readonly resp_size: number;
  readonly error?: string;
  readonly trace_id?: string;
  /** How many things the timeline of the request holds. */
  readonly steps: number;
  /** Statements that it ran; left out where the process cannot tell. */
  readonly statements?: number;
}

/** Facts about an error that help to find its cause. */
export interface CauseFacts {
  /** Code of an error that has one, else its class. */
  readonly name: string;
  /** With the messages of the errors below it. */
  readonly message: string;
  /** First line of the application's own sources, as `app/x.ts:8`; empty when there is none. */
  readonly at: string;
  /** The application's own lines, innermost first: function and place. */
  readonly frames: readonly string[];
  /** First lines of the stack. */
  readonly stack: string;
}

/** Something that happened while a request was answered. */
export interface TimelineStep {
  readonly kind: 'query' | 'event' | 'log';
  /** Model that a statement came from. */
  readonly model?: string;
  /** SQL with placeholders, name of the event, first line of the message. */
  readonly name: string;
  /** Milliseconds from the start of the request. */
  readonly at_ms: number;
  /** Milliseconds; 0 for what is a moment. */
  readonly duration_ms: number;
  readonly failed: boolean;
}

/** Answer of `GET {base}/api/requests/:id`. */
export interface RequestDetail extends RequestRecord {
  /** Headers that help and hold no secret; credentials are masked. */
  readonly request_headers: Readonly<Record<string, string>>;
  readonly response_headers: Readonly<Record<string, string>>;
  readonly timeline: readonly TimelineStep[];
  /** The error behind a 4xx or 5xx response, if there was one. */
  readonly cause?: CauseFacts;
  /** Where the route that failed was registered, as `app/routes/x.ts:8`. */
  readonly handler?: string;
  /** Value of `Fw-Simulation`, by which its client finds the request. */
  readonly marker?: string;
  /** Steps that were left out because there were too many. */
  readonly steps_dropped: number;
  /** False while the process cannot tell which request a query or a log line belongs to. */
  readonly correlated: boolean;
}

/** One route with its traffic, as `GET {base}/api/routes` gives it. */
export interface RouteStatistics {
  readonly method: string;
  readonly pattern: string;
  /** Handler and the module that registered it. */
  readonly controller: string;
  /** Middlewares around every route, outermost first. */
  readonly middleware: readonly string[];
  readonly requests: number;
  readonly avg_latency_ms: number;
  readonly p95_latency_ms: number;
  readonly max_latency_ms: number;
  /** Null when the route was never requested. */
  readonly last_request: string | null;
  /** Answers with a 5xx. */
  readonly errors: number;
  /** What its requests ask of the database; left out where the process cannot tell, or they ask nothing. */
  readonly statements?: RouteStatements;
  readonly blocking: boolean;
  readonly websocket?: true;
  /** Roles of which a caller needs one; empty: any valid credentials. */
  readonly roles?: readonly string[];
  /** Anybody may call it, whatever its group says. */
  readonly public?: true;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Whether the route says what it does. */
  readonly documented: boolean;
}

/** Statements of the requests of one route. */
export interface RouteStatements {
  /** In each request, on average. */
  readonly average: number;
  /** In one request. */
  readonly most: number;
  readonly slowest: { readonly sql: string; readonly ms: number };
  /** The statement that one request repeated most often, when that was often enough to look like N+1. */
  readonly repeated?: RepeatedStatement;
}

/** One statement that a request ran for each of many rows. */
export interface RepeatedStatement {
  readonly sql: string;
  readonly times: number;
  readonly total_ms: number;
  readonly model?: string;
  /** Relation that would load all rows at once, as `Order.lines`; left out when no model says so. */
  readonly relation?: string;
}

/** The kinds of log lines that are told apart. */
export type LogLevel = 'app' | 'http' | 'error' | 'panic' | 'warning';

/** One line, as `GET {base}/api/logs` gives it. */
export interface LogEntry {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  /** Plugin that wrote it. */
  readonly source?: string;
  readonly trace_id?: string;
}

/** What the process costs right now. */
export interface PerformanceMetrics {
  readonly time: string;
  readonly event_loop: { readonly lag_p50_ms: number; readonly lag_p99_ms: number; readonly utilization: number };
  readonly active_resources: number;
  /** Bytes. */
  readonly heap: { readonly used: number; readonly total: number; readonly limit: number };
  readonly rss: number;
  readonly external: number;
  readonly gc: { readonly count: number; readonly pause_total_ms: number; readonly cpu_fraction: number };
  readonly cpu: { readonly num_cpu: number; readonly usage_pct: number };
  readonly runtime_tuning: { readonly max_old_space_mb: number };
}

/** One second of the process. */
export interface PerformancePoint {
  readonly time: string;
  readonly active_resources: number;
  readonly heap_used: number;
  readonly rss: number;
  readonly gc_count: number;
  readonly lag_p99_ms: number;
  readonly cpu_usage_pct: number;
}

/** Answer of `GET {base}/api/performance`. */
export interface PerformanceAnswer {
  readonly current: PerformanceMetrics;
  readonly history: readonly PerformancePoint[];
  /** Seconds in which the event loop stood still, the worst first, with the requests that were at work. */
  readonly stalls: readonly Stall[];
}

/** A time in which nothing but one piece of work ran. */
export interface Stall {
  readonly time: string;
  readonly lag_ms: number;
  /** The slowest recorded requests of that time: method, route and milliseconds. */
  readonly requests: readonly string[];
}

/** One second of traffic. Latencies are milliseconds, null in a second without requests. */
export interface TrafficPoint {
  readonly time: string;
  readonly requests: number;
  /** Answers with a 4xx and with a 5xx. */
  readonly client_errors: number;
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

/** Answer of `GET {base}/api/overview`. */
export interface OverviewAnswer {
  readonly totals: {
    readonly requests: number;
    readonly client_errors: number;
    readonly errors: number;
    /** Over everything since the start, in milliseconds; null before the first request. */
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
    readonly p99_ms: number | null;
  };
  readonly uptime_s: number;
  readonly traffic: readonly TrafficPoint[];
  readonly performance: readonly PerformancePoint[];
  /** Routes with the most time spent in them. */
  readonly busiest: readonly RouteStatistics[];
  readonly failures: readonly RequestRecord[];
  readonly diagnostics: StateCounts;
}

/** How many subsystems are in each state. */
export type StateCounts = Readonly<Record<Report['status'], number>>;

/** Errors of the same name, message and place. */
export interface ErrorGroup {
  readonly id: string;
  readonly name: string;
  readonly message: string;
  /** Plugin that logged it. */
  readonly source: string;
  /** First line of the stack outside node_modules. */
  readonly place: string;
  readonly stack: string;
  readonly level: LogLevel;
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
  /** How many in each of the last 30 minutes, oldest first. */
  readonly per_minute: readonly number[];
  /** Newest first. */
  readonly trace_ids: readonly string[];
  /** First line of the application's own sources, as `app/x.ts:8`; empty when there is none. */
  readonly at: string;
  /** The application's own lines, innermost first. */
  readonly frames: readonly string[];
  /** The newest request that failed because of it; missing for errors outside of requests. */
  readonly sample?: Pick<RequestRecord, 'id' | 'time' | 'method' | 'path' | 'route' | 'status' | 'trace_id'>;
  /** Where the route of that request was registered. */
  readonly handler?: string;
  /** Routes that failed because of it, with their methods. */
  readonly routes: readonly string[];
  /** The statement that failed, else the last one that the request ran; left out when none is known. */
  readonly last_statement?: string;
}

/** Failed answers of one route with one status. */
export interface FailedResponses {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly per_minute: readonly number[];
  /** Id of the newest of them, for `GET {base}/api/requests/:id`. */
  readonly last_request: string;
  readonly last_path: string;
  /** Message of the error behind the newest of them, if there was one. */
  readonly reason?: string;
  /** Where: a line of the application, else where the route was registered. */
  readonly at?: string;
  /** The statement that failed. */
  readonly statement?: string;
}

/** Answer of `GET {base}/api/errors`. */
export interface ErrorsAnswer {
  readonly exceptions: readonly ErrorGroup[];
  readonly responses: readonly FailedResponses[];
  /** Groups that were evicted for newer ones. */
  readonly dropped: number;
}

/** One statement that ran. Never a value: the text has placeholders. */
export interface QueryRecord {
  readonly id: string;
  readonly time: string;
  readonly sql: string;
  /** Name of the model, where the statement came from one. */
  readonly model?: string;
  readonly duration_ms: number;
  readonly slow: boolean;
  /** Code or class of the error; never its text, which may hold values. */
  readonly error?: string;
  readonly trace_id?: string;
}

/** All runs of one statement. */
export interface StatementStatistics {
  readonly sql: string;
  readonly model?: string;
  readonly count: number;
  readonly errors: number;
  readonly slow: number;
  readonly total_ms: number;
  readonly avg_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  readonly last_seen: string;
}

/** Counters of a plan cache, as the ORM gives them. */
export interface CacheState {
  readonly name: string;
  readonly size: number;
  readonly capacity?: number;
  readonly hits?: number;
  readonly misses?: number;
  readonly evictions?: number;
}

/** Answer of `GET {base}/api/queries`. */
export interface QueriesAnswer {
  /** False when no plugin with a database runs. */
  readonly attached: boolean;
  readonly dialect?: string;
  readonly slow_ms: number;
  readonly totals: { readonly statements: number; readonly slow: number; readonly errors: number };
  readonly caches: readonly CacheState[];
  /** Other facts of the database's probe, e.g. connections. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly statements: readonly StatementStatistics[];
  readonly recent: readonly QueryRecord[];
  readonly statements_dropped: number;
}

/** One event that was dispatched. */
export interface EventRecord {
  readonly time: string;
  readonly name: string;
  readonly duration_ms: number;
  readonly listeners: number;
  readonly async: boolean;
  readonly stopped: boolean;
  readonly failed: boolean;
  readonly errors: readonly string[];
}

/** All dispatches of one event. */
export interface EventStatistics {
  readonly name: string;
  readonly count: number;
  readonly failed: number;
  readonly avg_ms: number;
  readonly max_ms: number;
  readonly last_seen: string;
}

/** Answer of `GET {base}/api/events`. */
export interface EventsAnswer {
  readonly metrics: Readonly<Record<string, number>>;
  readonly names: readonly EventStatistics[];
  readonly recent: readonly EventRecord[];
  readonly backend?: { readonly name: string; readonly stats: Readonly<Record<string, number>> };
}

/** One call of a tool. Argument names only, never values. */
export interface ToolCallRecord {
  readonly id: string;
  readonly time: string;
  readonly tool: string;
  readonly outcome: ToolCall['outcome'];
  readonly duration_ms: number;
  readonly argument_names: readonly string[];
  /** Category that the caller's token lacks, of a refused call. */
  readonly requires?: string;
}

/** All calls of one tool. */
export interface ToolStatistics {
  readonly tool: string;
  readonly calls: number;
  readonly failed: number;
  readonly refused: number;
  readonly avg_ms: number;
  readonly max_ms: number;
  readonly last_seen: string;
}

/** Answer of `GET {base}/api/mcp`. */
export interface McpAnswer {
  readonly endpoint: Report;
  readonly tools: readonly ToolStatistics[];
  readonly calls: readonly ToolCallRecord[];
}

/** Report of one subsystem's probe. */
export interface Report {
  readonly subsystem: string;
  readonly status: 'ok' | 'degraded' | 'off' | 'unknown';
  readonly summary: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
}

/** Answer of `GET {base}/api/diagnostics`. */
export interface DiagnosticsAnswer extends StateCounts {
  readonly subsystems: readonly Report[];
  readonly total: number;
  readonly with_notes: number;
  readonly counting: boolean;
  readonly counting_since?: string;
}

/** One plugin of the boot. */
export interface BootEntry {
  readonly id: string;
  readonly category: string;
  readonly state: 'disabled' | 'registered' | 'ready' | 'degraded' | 'failed' | 'stopped';
  readonly reason: string;
  readonly broughtBy: string;
  readonly tools: readonly string[];
  readonly importMs: number;
  readonly registerMs: number;
  readonly startMs: number;
}

/** Answer of `GET {base}/api/boot`. */
export interface BootAnswer {
  readonly app: string;
  readonly profile: string;
  readonly totalMs: number;
  readonly plugins: readonly BootEntry[];
}

/** Answer of `GET {base}/api/configuration`. */
export interface ConfigurationAnswer {
  readonly app: { readonly name: string; readonly version: string; readonly profile: string; readonly root: string };
  readonly process: {
    readonly node: string;
    readonly platform: string;
    readonly pid: number;
    readonly started: string;
    readonly cpus: number;
    readonly heap_limit: number;
  };
  /** Options in start order; secrets are replaced. */
  readonly plugins: readonly { readonly plugin: string; readonly options: unknown }[];
}

/** Answer of `GET {base}/api/api-explorer`. */
export interface ExplorerAnswer {
  /** The OpenAPI document; null when no plugin provides one. */
  readonly document: unknown;
  /** Where the API reference is, for a link. */
  readonly reference: string | null;
  /** Every route, for what is not documented. */
  readonly routes: readonly { readonly method: string; readonly pattern: string }[];
}
