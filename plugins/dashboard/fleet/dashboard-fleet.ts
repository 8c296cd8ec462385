import type { Logger } from '../../../kernel/index.js';
import type { DashboardOptions } from '../options.js';
import { AggregatorLink, type OwnApplication } from './aggregator-link.js';
import { LiveRelay } from './live-relay.js';

/** The dashboard's side of the Fleet page: exists only with `fleetAggregatorURL` (SPEC "HTTP endpoints", rule 5). */
export class DashboardFleet {
  readonly link: AggregatorLink;
  readonly relay: LiveRelay;

  /**
   * @param own - this application, for an aggregator that runs in it
   * @throws FwError `FW_DASHBOARD_FLEET_URL`
   */
  constructor(options: DashboardOptions, own: OwnApplication, log: Logger) {
    const { fleetAggregatorURL: url, fleetAggregatorUsername: username, fleetAggregatorPassword: password } = options;
    this.link = new AggregatorLink({ url, username, password, ingestToken: options.fleetIngestToken }, own);
    this.relay = new LiveRelay(this.link, log);
  }

  close(): void {
    this.relay.close();
    this.link.close();
  }
}
