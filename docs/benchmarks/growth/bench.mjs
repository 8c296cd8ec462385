import { buildProduct, CORES, isWanted, leaveMeasuredCore } from '../harness/index.mjs';
import { AXES } from './axes.mjs';
import { curveOf } from './curves.mjs';
import { costsOf, PLAN } from './measure.mjs';
import { notes } from './notes.mjs';
import { tablesOf } from './tables.mjs';

/** @typedef {import('../harness/types.js').RunSettings} RunSettings */

/** Fewer fresh processes than this say nothing about spread. */
const FEWEST = 3;

/** @type {import('../harness/types.js').Bench} */
export default {
  name: 'growth',
  title: 'How cost grows',
  measured: `Applications with more and more of one thing: routes, models, plugins, idle connections; and an aggregator of Fleet that holds more and
more traces. Each size is a fresh process; those of one axis run beside each other, and get their work in slices that take turns, in shuffled order: ${PLAN}.
Requests ask for as many different things at each size, spread over all that there is. ${CORES}

**Processor time** is what the process used, all of its threads: of the start until it listens, and of a request or a call, the median of its slices.
**Heap** and **resident memory** are read after a garbage collection, once it has started and holds what it should. **Exponents** are least squares over
the logarithms of size and cost, one for each set of processes; the runs show their medians. What is asked for must not grow with what there is: 0.03 would be a
quarter more for a thousand times as many. What each unit adds to start, heap or a document that lists them all may be in proportion: the smallest size is
taken off, and the exponent is that of the rest. A unit's own cost is the slope of a straight line.

**Routes**: half have a path without parameters, half one with a parameter and its schema; the reference is on, and the OpenAPI document is made anew for each
request, so it grows with what it lists. **Models** have ten columns with rules and two relations, on SQLite; a request reads a row by its key. **Plugins** have
options and a service that takes that of the plugin before. **Traces** have five spans with two to five tags; before most reads another batch arrives, as when a person looks
at a system that runs. **Connections** have had one answer and are kept open; 16 others send the requests.`,
  peers: [{ name: 'fw', packages: [], configuration: 'the built framework, defaults, profile prod' }],
  parts: AXES.map(({ name }) => name),
  budgetSeconds: 300,
  notes,
  drawing: curveOf,
  limits: `No peer takes part: the goals are about growth. Caches of the processor are too small for what 10,000 of anything hold, and requests here come back to the
same few; a service whose requests go everywhere pays for that beside what is shown.`,
  measure,
};

/** @param {RunSettings} settings */
async function measure(settings) {
  buildProduct(settings);
  leaveMeasuredCore();
  const { only, rounds = FEWEST, budgetSeconds, log } = settings;
  const deadline = performance.now() + budgetSeconds * 1000;
  const measured = AXES.filter(({ name }) => isWanted(only, name)).map((axis) => ({
    axis,
    repetitions: /** @type {import('./measure.mjs').Costs[]} */ ([]),
  }));
  const ready = new Map();
  try {
    for (const { axis } of measured) ready.set(axis.name, await axis.prepare?.());
    for (let round = 0; round < rounds && (round < FEWEST || performance.now() < deadline); round++) {
      for (const { axis, repetitions } of measured) {
        const from = performance.now();
        repetitions.push(await costsOf(axis, ready.get(axis.name)));
        log(`${axis.name}: set ${round + 1} of processes, ${((performance.now() - from) / 1000).toFixed(1)} s`);
      }
    }
  } finally {
    for (const prepared of ready.values()) await prepared?.remove();
  }
  return tablesOf(measured);
}
