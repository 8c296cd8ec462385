// What the Fleet page reads, below `{base}/api/fleet`: the aggregator's answers as they are. Types only.
export type * from '../../../kernel/contracts/fleet-wire.js';

/** Whether the dashboard is connected to its aggregator; the first message on the live socket, and whenever it changes. */
export interface AggregatorState {
  readonly type: 'aggregator';
  readonly connected: boolean;
  readonly reason?: string;
}
