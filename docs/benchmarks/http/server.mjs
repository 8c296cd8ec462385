import { SCENARIOS } from './work.mjs';

/** @typedef {(typeof SCENARIOS)[string]} Scenario */

/**
 * One subject in one scenario.
 *
 * @param {string} name - of the module in `subjects/`
 * @param {string} scenario
 * @param {object} variant
 * @returns {Promise<number>} its port
 */
export async function start(name, scenario, variant) {
  const subject = await import(`./subjects/${name}.mjs`);
  return subject.start(SCENARIOS[scenario], variant);
}
