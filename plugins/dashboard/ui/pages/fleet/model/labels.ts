import { type Arc, pointOn, shareAt } from './arcs.js';
import { COLUMN_GAP, type Point } from './graph-layout.js';

/** Size of a letter of a label, and of the line, in pixels of the picture. */
const LETTER = 5.9;
const LINE = 13;
/** Places along an arc, the best one first. */
const SHARES = [0.5, 0.36, 0.64, 0.25, 0.75];

/** A label that wants a place on its arc. */
export interface Label {
  readonly key: string;
  readonly text: string;
  readonly arc: Arc;
  /** The heavier one keeps its place. */
  readonly weight: number;
}

/** Finds places at which labels do not cover each other. One that finds none is left out. */
export function placeLabels(labels: readonly Label[]): ReadonlyMap<string, Point> {
  const placed: { readonly at: Point; readonly width: number }[] = [];
  const places = new Map<string, Point>();
  for (const { key, text, arc } of [...labels].sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1))) {
    const width = text.length * LETTER;
    const at = candidates(arc).find((place) => placed.every((other) => isApart(place, width, other)));
    if (at === undefined) continue;
    placed.push({ at, width });
    places.set(key, at);
  }
  return places;
}

/** The best place of a label on its arc. */
export function labelPlace(arc: Arc): Point {
  return candidates(arc)[0] as Point;
}

// A call over several columns passes behind the cards between: its label stands in the gap before the called service.
function candidates(arc: Arc): readonly Point[] {
  const [from, , , to] = arc;
  const way = to.x - from.x;
  const shares = Math.abs(way) > COLUMN_GAP * 2 ? [shareAt(arc, to.x - Math.sign(way) * (COLUMN_GAP / 2))] : SHARES;
  return shares.map((share) => pointOn(arc, share));
}

function isApart(at: Point, width: number, other: { readonly at: Point; readonly width: number }): boolean {
  return Math.abs(at.x - other.at.x) >= (width + other.width) / 2 || Math.abs(at.y - other.at.y) >= LINE;
}
