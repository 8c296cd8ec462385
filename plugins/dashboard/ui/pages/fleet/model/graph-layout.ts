import { type Force, forceLink, forceSimulation, forceY, type SimulationNodeDatum } from 'd3-force';
import { OUTSIDE } from './hops.js';

/** Size of a service's card, and how far apart columns and rows are. */
export const CARD = { width: 140, height: 46 } as const;
const COLUMN = 236;
const ROW = 70;
/** Pixels between the cards of two neighbouring columns. */
export const COLUMN_GAP = COLUMN - CARD.width;
/** The share of width to height that a picture of many services should have. */
const ASPECT = 3.2;
const TICKS = 150;
/** How often neighbours are pushed apart in one tick. */
const PUSHES = 3;
/** Columns that the longest way through a fleet may take. */
const MAX_DEPTH = 12;
/** Columns that a chain of a few services may take, however few there are. */
const LEAST_DEPTH = 6;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Call {
  readonly caller: string;
  readonly callee: string;
}

/** Middles of the cards, and the box around them all. */
export interface GraphLayout {
  readonly places: ReadonlyMap<string, Point>;
  readonly box: Box;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/**
 * Places services from left to right along their calls, with whoever calls from outside at the far left. Depends on which
 * services and calls there are and on nothing else: neither numbers nor the order in which they came move anything.
 *
 * @param entries - services that are called from outside
 */
export function layoutGraph(
  services: readonly string[],
  calls: readonly Call[],
  entries: readonly string[],
): GraphLayout {
  const names = [...new Set(services)].sort();
  const known = new Set(names);
  const outside = entries.filter((name) => known.has(name)).map((callee) => ({ caller: OUTSIDE, callee }));
  const inner = calls.filter(({ caller, callee }) => known.has(caller) && known.has(callee) && caller !== callee);
  const sorted = [...outside, ...inner].sort((a, b) => order(a.caller, b.caller) || order(a.callee, b.callee));
  const all = outside.length > 0 ? [OUTSIDE, ...names] : names;
  return settle(columnsOf(all, sorted), sorted);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names in columns; a layer that is too tall fills several. */
function columnsOf(names: readonly string[], calls: readonly Call[]): readonly (readonly string[])[] {
  const layers = sweep(layersOf(names, calls), calls);
  const tallest = Math.max(5, Math.ceil(Math.sqrt((names.length * COLUMN) / ROW / ASPECT)));
  return layers.flatMap((layer) => {
    const columns = Math.ceil(layer.length / tallest);
    const height = Math.ceil(layer.length / columns);
    return Array.from({ length: columns }, (_, at) => layer.slice(at * height, (at + 1) * height));
  });
}

/** A service stands right of everybody who calls it, circles left aside. */
function layersOf(names: readonly string[], calls: readonly Call[]): string[][] {
  const longest = longestWays(names, calls);
  // In a densely connected fleet the longest path would span half of it, so the shortest one is used.
  const most = Math.min(MAX_DEPTH, Math.max(LEAST_DEPTH, 2 * Math.sqrt(names.length)));
  const depth = Math.max(0, ...longest.values()) <= most ? longest : shortestWays(names, calls);
  const layers: string[][] = [];
  for (const name of names) (layers[depth.get(name) as number] ??= []).push(name);
  return layers.filter((layer) => layer !== undefined);
}

function longestWays(names: readonly string[], calls: readonly Call[]): ReadonlyMap<string, number> {
  const forward = withoutCircles(names, calls);
  const depth = new Map(names.map((name) => [name, name === OUTSIDE ? 0 : 1]));
  // In topological order each service is placed after all of its callers.
  for (const { name, callees } of forward) {
    for (const callee of callees) depth.set(callee, Math.max(depth.get(callee) ?? 0, (depth.get(name) as number) + 1));
  }
  return depth;
}

function shortestWays(names: readonly string[], calls: readonly Call[]): ReadonlyMap<string, number> {
  const callees = groupBy(calls, 'caller', 'callee');
  const depth = new Map<string, number>();
  for (const start of startingPoints(names, calls)) {
    if (depth.has(start)) continue;
    depth.set(start, start === OUTSIDE ? 0 : 1);
    const queue = [start];
    for (let at = 0; at < queue.length; at++) {
      const name = queue[at] as string;
      for (const callee of callees.get(name) ?? []) {
        if (depth.has(callee)) continue;
        depth.set(callee, (depth.get(name) as number) + 1);
        queue.push(callee);
      }
    }
  }
  return depth;
}

interface Ordered {
  readonly name: string;
  readonly callees: readonly string[];
}

/** Names in topological order with those they call; a call back to somebody on the way is left out. */
function withoutCircles(names: readonly string[], calls: readonly Call[]): readonly Ordered[] {
  const callees = groupBy(calls, 'caller', 'callee');
  const state = new Map<string, 'open' | 'done'>();
  const finished: Ordered[] = [];
  for (const start of startingPoints(names, calls)) {
    if (state.has(start)) continue;
    const stack = [{ name: start, at: 0, kept: [] as string[] }];
    state.set(start, 'open');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = callees.get(top.name)?.[top.at++];
      if (next === undefined) {
        state.set(top.name, 'done');
        finished.push({ name: top.name, callees: top.kept });
        stack.pop();
      } else if (state.get(next) !== 'open') {
        top.kept.push(next);
        if (!state.has(next)) {
          state.set(next, 'open');
          stack.push({ name: next, at: 0, kept: [] });
        }
      }
    }
  }
  return finished.reverse();
}

// Services without callers first, so that a cycle is cut where it is entered.
function startingPoints(names: readonly string[], calls: readonly Call[]): readonly string[] {
  const called = new Set(calls.map(({ callee }) => callee));
  return [...names.filter((name) => !called.has(name)), ...names];
}

function groupBy(calls: readonly Call[], key: keyof Call, value: keyof Call): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const call of calls) {
    const group = groups.get(call[key]);
    if (group) group.push(call[value]);
    else groups.set(call[key], [call[value]]);
  }
  return groups;
}

/** Orders each layer by where its neighbours stand, there and back, so that few arcs cross. */
function sweep(layers: string[][], calls: readonly Call[]): readonly (readonly string[])[] {
  const callers = groupBy(calls, 'callee', 'caller');
  const callees = groupBy(calls, 'caller', 'callee');
  const places = new Map<string, number>();
  const number = (layer: readonly string[]) => layer.forEach((name, at) => places.set(name, (at + 0.5) / layer.length));
  layers.forEach(number);
  for (let round = 0; round < 6; round++) {
    const isForward = round % 2 === 0;
    for (const layer of isForward ? layers : layers.toReversed()) {
      const neighbours = isForward ? callers : callees;
      const target = new Map(
        layer.map((name) => [name, mean(neighbours.get(name), places) ?? (places.get(name) as number)]),
      );
      layer.sort((a, b) => (target.get(a) as number) - (target.get(b) as number) || order(a, b));
      number(layer);
    }
  }
  return layers;
}

function mean(names: readonly string[] = [], places: ReadonlyMap<string, number>): number | undefined {
  if (names.length === 0) return undefined;
  return names.reduce((sum, name) => sum + (places.get(name) as number), 0) / names.length;
}

interface Body extends SimulationNodeDatum {
  readonly name: string;
  readonly fx: number;
  y: number;
  vy: number;
}

/** Lets the cards find their heights: calls pull them together, neighbours keep their distance, columns stay. */
function settle(columns: readonly (readonly string[])[], calls: readonly Call[]): GraphLayout {
  const stacks: Body[][] = columns.map((column, index) =>
    column.map((name, at) => ({
      name,
      fx: index * COLUMN,
      x: index * COLUMN,
      y: (at - (column.length - 1) / 2) * ROW,
      vy: 0,
    })),
  );
  const bodies = stacks.flat();
  const byName = new Map(bodies.map((body) => [body.name, body]));
  const links = calls.map(({ caller, callee }) => ({
    source: byName.get(caller) as Body,
    target: byName.get(callee) as Body,
  }));
  // As long as the columns are apart: then only heights are pulled together.
  const length = ({ source, target }: (typeof links)[number]) => Math.abs(source.fx - target.fx);
  const simulation = forceSimulation(bodies)
    .force('calls', forceLink<Body, (typeof links)[number]>(links).distance(length).strength(0.25))
    .force('apart', keepApart(stacks))
    .force('middle', forceY<Body>(0).strength(0.04))
    .stop();
  simulation.tick(TICKS);
  // The simulation may leave small overlaps, so cards are finally pushed apart.
  stacks.forEach(spread);
  const places = new Map(bodies.map(({ name, fx, y }) => [name, { x: fx, y: Math.round(y) }]));
  return { places, box: boxAround([...places.values()]) };
}

// Columns are far enough apart to be handled one by one: for two hundred services a search for neighbours in the plane would take four
// fifths of the layout.
function keepApart(columns: readonly Body[][]): Force<Body, undefined> {
  return () => {
    for (let push = 0; push < PUSHES; push++) columns.forEach(pushApart);
  };
}

/** Pushes neighbours that will be too near each other when this tick is over, half of the way each. */
function pushApart(column: Body[]): void {
  const next = ({ y, vy }: Body) => y + vy;
  column.sort((a, b) => next(a) - next(b) || order(a.name, b.name));
  for (const [at, upper] of column.entries()) {
    for (let below = at + 1; below < column.length; below++) {
      const lower = column[below] as Body;
      const missing = ROW - (next(lower) - next(upper));
      if (missing <= 0) break;
      upper.vy -= missing / 2;
      lower.vy += missing / 2;
    }
  }
}

function spread(bodies: Body[]): void {
  bodies.sort((a, b) => a.y - b.y || order(a.name, b.name));
  const before = average(bodies);
  for (let at = 1; at < bodies.length; at++) {
    const body = bodies[at] as Body;
    body.y = Math.max(body.y, (bodies[at - 1] as Body).y + ROW);
  }
  const shift = before - average(bodies);
  for (const body of bodies) body.y += shift;
}

function average(bodies: readonly Body[]): number {
  return bodies.reduce((sum, { y }) => sum + y, 0) / Math.max(1, bodies.length);
}

/** The box around cards at some places. */
export function boxAround(places: readonly Point[]): Box {
  if (places.length === 0) return { x: 0, y: 0, width: CARD.width, height: CARD.height };
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const x = Math.min(...xs) - CARD.width / 2;
  const y = Math.min(...ys) - CARD.height / 2;
  return { x, y, width: Math.max(...xs) + CARD.width / 2 - x, height: Math.max(...ys) + CARD.height / 2 - y };
}
