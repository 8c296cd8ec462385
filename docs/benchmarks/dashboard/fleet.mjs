import assert from 'node:assert/strict';

/** @typedef {typeof import('../../../plugins/dashboard/fleet/testing/simulated-fleet.js')} Simulation */

export const SERVICES = 200;
export const TRACES = 2_000;
/** Traces of one batch. */
const BATCH = 20;

/** A fleet of many services that an aggregator hears of. */
export class ManyServices {
  /**
   * @param {Simulation} simulation
   * @param {string} url - of the application with the aggregator
   */
  constructor({ chance, heartbeats, largeFleet, SimulatedFleet }, url) {
    this.url = url;
    this.fleet = new SimulatedFleet(largeFleet(SERVICES), chance(11));
    this.heartbeats = heartbeats(Array.from({ length: SERVICES }, (_, at) => `service-${String(at).padStart(3, '0')}`));
  }

  /** Fills the aggregator with the traces of the last minutes. */
  async fill() {
    for (const heartbeat of this.heartbeats) await this.#post('heartbeat', heartbeat);
    const now = Date.now();
    for (let left = TRACES; left > 0; left -= BATCH) await this.send(BATCH, now - left * 50);
    const answer = await fetch(`${this.url}/fleet/api/stats`);
    const stats = /** @type {{ traces: number }} */ (await answer.json());
    assert.equal(stats.traces, TRACES);
  }

  /**
   * Requests that were made just now.
   *
   * @param {number} count
   * @param {number} [at]
   */
  async send(count, at = Date.now()) {
    await this.#post('spans', Array.from({ length: count }, (_, nth) => this.fleet.request(at + nth * 50)).flat());
  }

  /**
   * @param {string} endpoint
   * @param {unknown} body
   */
  async #post(endpoint, body) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.url}/fleet/api/${endpoint}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 202);
  }
}
