import { linearRegression } from 'simple-statistics';

/** A size, and what was measured there. @typedef {readonly [size: number, value: number]} Point */

/**
 * The exponent k of `value = c * size ** k`, by least squares over the logarithms: 0 for what does not grow, 1 for what grows in
 * proportion.
 *
 * @param {readonly Point[]} points
 */
export function exponentOf(points) {
  if (points.length < 2) throw new Error('An exponent needs what was measured at two sizes.');
  const bad = points.find(([size, value]) => !(size > 0 && value > 0));
  if (bad) throw new Error(`An exponent needs values above 0; at ${bad[0]} it is ${bad[1]}.`);
  return linearRegression(points.map(([size, value]) => [Math.log(size), Math.log(value)])).m;
}

/**
 * What each further unit adds: the slope of a straight line through the points, by least squares.
 *
 * @param {readonly Point[]} points
 */
export function perUnit(points) {
  return linearRegression(points.map(([size, value]) => [size, value])).m;
}

/**
 * What the sizes above the smallest add to it; those whose addition is lost in the noise are left out.
 *
 * @param {readonly Point[]} points - by size
 * @returns {Point[]}
 */
export function additions(points) {
  const [first, ...others] = points;
  if (first === undefined) return [];
  return others.flatMap(([size, value]) => (value > first[1] ? [[size - first[0], value - first[1]]] : []));
}
