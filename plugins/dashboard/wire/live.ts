// What travels over the dashboard's WebSocket: types only.
import type { EventRecord, LogEntry, PerformancePoint, QueryRecord, RequestRecord, ToolCallRecord, TrafficPoint } from './api.js'; // prettier-ignore

/** Channels of the built-in pages with what is published on each. Other plugins use names of their own. */
export interface LiveChannels {
  readonly request: RequestRecord;
  readonly log: LogEntry;
  readonly query: QueryRecord;
  readonly event: EventRecord;
  readonly tool: ToolCallRecord;
}

/** Sent when a connection opens and once a second. */
export interface LiveSnapshot {
  readonly type: 'snapshot';
  readonly time: string;
  readonly traffic: TrafficPoint;
  readonly performance: PerformancePoint;
  readonly totals: { readonly requests: number; readonly client_errors: number; readonly errors: number };
}

/** Sent when something happened, ten times a second at most. */
export interface LiveBatch {
  readonly type: 'batch';
  readonly time: string;
  readonly events: readonly { readonly channel: string; readonly time: string; readonly data: unknown }[];
  /** Number of events that were left out because there were too many. */
  readonly dropped: number;
}

/** A message of the server. */
export type LiveMessage = LiveSnapshot | LiveBatch;

/** The only message of the browser: which channels it wants. Until it comes, none. */
export interface LiveSubscription {
  readonly channels: readonly string[];
}
