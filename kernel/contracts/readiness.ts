import { token } from '../container/token.js';

/** A dependency without which an application should get no requests: a database, a broker. */
export interface ReadinessCheck {
  /** What is asked: `database`. */
  readonly name: string;
  /**
   * Throws, or returns a promise that is rejected, while the dependency is not available.
   *
   * @param signal - aborted when nobody waits any more
   */
  check(signal: AbortSignal): unknown;
}

/** Plugins contribute what has to answer before the application says that it is ready (`health` of fw/http). */
export const ReadinessCheck = token<ReadinessCheck>('fw.ReadinessCheck');

/** Runs when an application is asked to stop, before anything of it is drained; what it returns is waited for. */
export type BeforeStop = () => unknown;

/** Plugins contribute work that has to end before the application drains, such as signing off from a load balancer. */
export const BeforeStop = token<BeforeStop>('fw.BeforeStop');
