import { describe, expect, test } from '@jest/globals';
import { arcPair, pathData, pointOn } from './arcs.js';
import { CARD, layoutGraph, type Point } from './graph-layout.js';
import { fit, pan, zoom } from './viewport.js';

const names = ['gateway', 'auth', 'orders', 'stock', 'mail'];
const calls = [
  { caller: 'gateway', callee: 'auth' },
  { caller: 'gateway', callee: 'orders' },
  { caller: 'orders', callee: 'stock' },
  { caller: 'orders', callee: 'mail' },
];
const at = (layout: ReturnType<typeof layoutGraph>, name: string) => layout.places.get(name) as Point;

function overlaps(places: readonly Point[]): number {
  const touches = (a: Point, b: Point) => Math.abs(a.x - b.x) < CARD.width && Math.abs(a.y - b.y) < CARD.height;
  return places.filter((place, n) => places.slice(n + 1).some((other) => touches(place, other))).length;
}

/** A fleet without chance in it. */
function manyServices(count: number) {
  const services = Array.from({ length: count }, (_, n) => `service-${n}`);
  const many = services.flatMap((caller, n) => [
    { caller, callee: `service-${(n * 7 + 3) % count}` },
    { caller, callee: `service-${Math.floor(n / 3)}` },
  ]);
  return { services, many };
}

describe('the layout', () => {
  test('puts callers left of those they call, and the outside at the far left', () => {
    const layout = layoutGraph(names, calls, ['gateway']);
    const x = (name: string) => at(layout, name).x;
    expect(x('')).toBeLessThan(x('gateway'));
    expect(x('gateway')).toBeLessThan(x('auth'));
    expect(x('orders')).toBeLessThan(x('stock'));
    expect(x('stock')).toBe(x('mail'));
  });

  test('does not depend on the order in which services and calls came', () => {
    const one = layoutGraph(names, calls, ['gateway']);
    const other = layoutGraph(names.toReversed(), calls.toReversed(), ['gateway']);
    expect([...other.places].sort()).toEqual([...one.places].sort());
  });

  test.each([3, 14, 60, 200])('keeps %p services apart, in a picture that is wider than high', (count) => {
    const { services, many } = manyServices(count);
    const layout = layoutGraph(services, many, ['service-0']);
    expect(layout.places.size).toBe(count + 1);
    expect(overlaps([...layout.places.values()])).toBe(0);
    expect(layout.box.width).toBeGreaterThan(layout.box.height);
    expect(layout.box.width).toBeLessThan(layout.box.height * 12);
  });

  test('stands circles, calls to itself, and nothing at all', () => {
    const circle = [
      { caller: 'a', callee: 'b' },
      { caller: 'b', callee: 'c' },
      { caller: 'c', callee: 'a' },
      { caller: 'a', callee: 'a' },
    ];
    const layout = layoutGraph(['c', 'b', 'a'], circle, ['a']);
    expect(['a', 'b', 'c'].map((name) => at(layout, name).x)).toEqual(
      ['a', 'b', 'c'].map((name) => at(layout, name).x).toSorted((one, two) => one - two),
    );
    expect(layoutGraph([], [], []).places.size).toBe(0);
  });

  test('leaves out calls of services that are not there', () => {
    expect([...layoutGraph(['a'], [{ caller: 'ghost', callee: 'a' }], ['ghost']).places.keys()]).toEqual(['a']);
  });
});

describe('arcs', () => {
  test.each([
    ['to the right', { x: 0, y: 0 }, { x: 300, y: 80 }],
    ['to the left', { x: 300, y: 0 }, { x: 0, y: -40 }],
    ['within a column', { x: 0, y: 0 }, { x: 0, y: 128 }],
  ])(
    '%s: the request goes from card to card, the response back, and they do not cover each other',
    (_, caller, callee) => {
      const { request, response } = arcPair(caller, callee);
      expect(pointOn(request, 0).x).toBe(pointOn(response, 1).x);
      expect(pointOn(request, 1).x).toBe(pointOn(response, 0).x);
      expect(Math.abs(pointOn(request, 0).x - caller.x)).toBe(CARD.width / 2);
      expect(Math.abs(pointOn(request, 1).x - callee.x)).toBe(CARD.width / 2);
      expect(pointOn(response, 0.5).y - pointOn(request, 0.5).y).toBeGreaterThan(15);
      expect(pathData(request)).toMatch(/^M[-\d.]+ [-\d.]+C([-\d.]+ ){5}[-\d.]+$/);
    },
  );
});

describe('the view', () => {
  const box = { x: -100, y: -50, width: 2000, height: 500 };

  test('shows everything in the middle of what buttons and legend leave free', () => {
    const view = fit(box, { width: 1056, height: 400 });
    expect(view.scale).toBeCloseTo(0.5);
    expect(view.x + (box.x + 1000) * view.scale).toBeCloseTo(528);
    expect(view.y + (box.y + 250) * view.scale).toBeCloseTo(48 + (400 - 48 - 32) / 2);
  });

  test('does not blow three services up', () => {
    expect(fit({ x: 0, y: 0, width: 200, height: 50 }, { width: 1000, height: 800 }).scale).toBe(1.1);
  });

  test('zooms around a point, within limits, and moves', () => {
    const view = zoom({ x: 10, y: 20, scale: 1 }, 1.5, { x: 110, y: 70 });
    expect(view).toEqual({ scale: 1.5, x: -40, y: -5 });
    expect(zoom(view, 1000, { x: 0, y: 0 }).scale).toBe(2);
    expect(pan(view, 5, -5)).toEqual({ scale: 1.5, x: -35, y: -10 });
  });
});
