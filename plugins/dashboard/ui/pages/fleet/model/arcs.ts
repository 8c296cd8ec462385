import { CARD, type Point } from './graph-layout.js';

/** A curve from one card to another: a cubic Bézier with these four points. */
export type Arc = readonly [Point, Point, Point, Point];

/** How far the two arcs of a pair stand apart at the cards, and how far they bow. */
const APART = 7;
const BOW = 15;
const OUTSIDE_RADIUS = 21;

/** The two arcs of a call: there, and back. */
export interface ArcPair {
  readonly request: Arc;
  readonly response: Arc;
}

/**
 * @param fromOutside - the caller is drawn as a disc, not as a card
 */
export function arcPair(caller: Point, callee: Point, fromOutside = false): ArcPair {
  const reach = fromOutside ? OUTSIDE_RADIUS : CARD.width / 2;
  const side = callee.x >= caller.x ? 1 : -1;
  const from = { x: caller.x + side * reach, y: caller.y };
  // In one column both arcs leave and arrive on the right.
  const isColumn = callee.x === caller.x;
  const arrival = isColumn ? side : -side;
  const to = { x: callee.x + arrival * (CARD.width / 2), y: callee.y };
  const handle = isColumn ? 46 : Math.max(36, Math.abs(to.x - from.x) * 0.45);
  return {
    request: curve(from, side * handle, to, arrival * handle, -1),
    response: curve(to, arrival * handle, from, side * handle, 1),
  };
}

function curve(start: Point, startHandle: number, end: Point, endHandle: number, up: 1 | -1): Arc {
  const [startY, endY] = [start.y + up * APART, end.y + up * APART];
  return [
    { x: start.x, y: startY },
    { x: start.x + startHandle, y: startY + up * BOW },
    { x: end.x + endHandle, y: endY + up * BOW },
    { x: end.x, y: endY },
  ];
}

/** The curve as SVG path data (SVG 2, section 9.3). */
export function pathData([a, b, c, d]: Arc): string {
  const text = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
  return `M${text(a)}C${text(b)} ${text(c)} ${text(d)}`;
}

/** A point of the curve. @param share - 0 at its beginning, 1 at its end */
export function pointOn([a, b, c, d]: Arc, share: number): Point {
  const rest = 1 - share;
  const weight = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3] as const;
  const sum = (axis: 'x' | 'y') =>
    weight[0] * a[axis] + weight[1] * b[axis] + weight[2] * c[axis] + weight[3] * d[axis];
  return { x: sum('x'), y: sum('y') };
}

/** Where a curve that goes one way passes a place. @returns the share, for {@link pointOn} */
export function shareAt(arc: Arc, x: number): number {
  const isForward = arc[3].x >= arc[0].x;
  let [low, high] = [0, 1];
  for (let round = 0; round < 12; round++) {
    const middle = (low + high) / 2;
    if (pointOn(arc, middle).x < x === isForward) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
