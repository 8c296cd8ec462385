import { additions, exponentOf, perUnit } from './exponent.mjs';

/** @typedef {import('../harness/types.js').Goal} Goal */
/** @typedef {import('../harness/types.js').TableInput} TableInput */
/** @typedef {import('./axes.mjs').Axis} Axis */
/** @typedef {import('./exponent.mjs').Point} Point */
/** @typedef {import('./measure.mjs').Cost} Cost */
/** @typedef {import('./measure.mjs').Costs} Costs */

/** What an axis cost: each repetition has had fresh processes. @typedef {{ readonly axis: Axis, readonly repetitions: readonly Costs[] }} Measured */

/** A cost that is followed over the sizes. @typedef {{ readonly what: string, readonly unit: string, readonly of: (cost: Cost) => number }} Followed */

/** A thousand times as many may cost a quarter more: less is within what processes of one program differ by. */
const FLAT = { atMost: 0.03 };
const PROPORTIONAL = { atMost: 1.1 };

const HEAP = { what: 'heap', unit: 'MiB', of: (/** @type {Cost} */ { heapMiB }) => heapMiB };
const RSS = { what: 'resident memory', unit: 'MiB', of: (/** @type {Cost} */ { rssMiB }) => rssMiB };
const START = { what: 'start', unit: 'ms of processor time', of: (/** @type {Cost} */ { startMs }) => startMs };

/**
 * @param {readonly Measured[]} measured
 * @returns {TableInput[]}
 */
export function tablesOf(measured) {
  return [
    exponentTable('paths', 'Exponents of what is asked for: 0 is no growth', measured, pathExponents),
    exponentTable('amounts', 'Exponents of what each unit adds: 1 is in proportion', measured, addedExponents),
    perUnitTable(
      'heap-units',
      'Heap for each unit',
      'KiB',
      measured,
      () => true,
      (cost) => cost.heapMiB * 1024,
    ),
    perUnitTable(
      'rss-units',
      'Resident memory for each unit',
      'KiB',
      measured,
      () => true,
      (cost) => cost.rssMiB * 1024,
    ),
    perUnitTable(
      'start-units',
      'Start for each unit',
      'us of processor time',
      measured,
      startCounts,
      (cost) => cost.startMs * 1000,
    ),
    ...measured.flatMap(curveTables),
  ].filter(({ rows }) => rows.length > 0);
}

/** @param {Axis} axis */
const startCounts = ({ isFilled }) => isFilled !== true;

/** @type {(measured: Measured) => TableInput[]} */
function curveTables({ axis, repetitions }) {
  const followed = [...asked(axis), ...(startCounts(axis) ? [START] : []), HEAP, RSS];
  return followed.map(({ what, unit, of }) => ({
    id: `${axis.name}: ${what}`,
    title: `By ${axis.name}: ${what}`,
    unit,
    rows: axis.sizes.map((size) => ({
      subject: `${size.toLocaleString('en')} ${axis.name}`,
      values: repetitions.map((costs) => of(/** @type {Cost} */ (costs.get(size)))),
    })),
  }));
}

/** @type {(axis: Axis) => Followed[]} */
function asked({ requests, calls }) {
  return Object.keys({ ...requests, ...calls }).map((operation) => ({
    what: operation,
    unit: 'us of processor time',
    of: ({ us }) => us.get(operation) ?? Number.NaN,
  }));
}

/** @typedef {{ readonly what: string, readonly exponents: readonly number[], readonly goal: Goal }} Exponents */

/** @type {(measured: Measured) => Exponents[]} */
function pathExponents({ axis, repetitions }) {
  const flat = asked(axis).filter(({ what }) => !axis.answersGrow?.includes(what));
  return flat.map(({ what, of }) => ({
    what,
    exponents: repetitions.map((costs) => exponentOf(pointsOf(costs, of))),
    goal: FLAT,
  }));
}

/** @type {(measured: Measured) => Exponents[]} */
function addedExponents({ axis, repetitions }) {
  const whole = asked(axis).filter(({ what }) => axis.answersGrow?.includes(what));
  const followed = [...whole, ...(startCounts(axis) ? [START] : []), HEAP];
  return followed.map(({ what, of }) => ({
    what,
    exponents: repetitions.flatMap((costs) => {
      const added = additions(pointsOf(costs, of));
      return added.length > 1 ? [exponentOf(added)] : [];
    }),
    goal: PROPORTIONAL,
  }));
}

/** @type {(costs: Costs, of: (cost: Cost) => number) => Point[]} */
function pointsOf(costs, of) {
  return [...costs].map(([size, cost]) => [size, of(cost)]);
}

/** @type {(id: string, title: string, measured: readonly Measured[], of: (measured: Measured) => Exponents[]) => TableInput} */
function exponentTable(id, title, measured, of) {
  const rows = measured.flatMap((each) =>
    of(each).map(({ what, exponents, goal }) => ({ subject: `${each.axis.name}: ${what}`, values: exponents, goal })),
  );
  return { id, title, unit: 'exponent', rows };
}

/** @type {(id: string, title: string, unit: string, measured: readonly Measured[], isWanted: (axis: Axis) => boolean, of: (cost: Cost) => number) => TableInput} */
function perUnitTable(id, title, unit, measured, isWanted, of) {
  const wanted = measured.filter(({ axis }) => isWanted(axis));
  const rows = wanted.map(({ axis, repetitions }) => ({
    subject: axis.unit,
    values: repetitions.map((costs) => perUnit(pointsOf(costs, of))),
  }));
  return { id, title, unit, rows };
}
