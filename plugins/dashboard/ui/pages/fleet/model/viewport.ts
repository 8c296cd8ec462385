import type { Box, Point } from './graph-layout.js';

/** The part of the picture that is seen. */
export interface View {
  readonly x: number;
  readonly y: number;
  /** Pixels on the screen for one of the picture. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const MIN_SCALE = 0.12;
const MAX_SCALE = 2;
/** Free space around the picture, in pixels of the screen. The buttons are at the top, the legend at the bottom. */
const MARGIN = { side: 28, top: 48, bottom: 32 } as const;

/** Shows a box in the middle of the free space, as large as fits but never larger than it is. */
export function fit(box: Box, { width, height }: Size): View {
  const room = {
    width: Math.max(1, width - 2 * MARGIN.side),
    height: Math.max(1, height - MARGIN.top - MARGIN.bottom),
  };
  const scale = Math.min(1.1, Math.max(MIN_SCALE, Math.min(room.width / box.width, room.height / box.height)));
  const middle = { x: width / 2, y: MARGIN.top + room.height / 2 };
  return { scale, x: middle.x - (box.x + box.width / 2) * scale, y: middle.y - (box.y + box.height / 2) * scale };
}

/** Zooms by a factor; the point of the screen stays where it is. */
export function zoom(view: View, factor: number, at: Point): View {
  const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
  const change = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change };
}

/** Moves by pixels of the screen. */
export function pan(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x + dx, y: view.y + dy };
}
