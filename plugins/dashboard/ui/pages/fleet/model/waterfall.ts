import type { SpanView } from './spans.js';

/** Which rows of the waterfall are folded, and which one is selected. */
export interface WaterfallState {
  readonly selected: string | undefined;
  readonly collapsed: ReadonlySet<string>;
}

/** The rows that are not folded away. Expects the spans depth first. */
export function visibleRows(spans: readonly SpanView[], collapsed: ReadonlySet<string>): readonly SpanView[] {
  const rows: SpanView[] = [];
  for (let at = 0; at < spans.length; at++) {
    const span = spans[at] as SpanView;
    rows.push(span);
    if (collapsed.has(span.id)) at += span.descendants;
  }
  return rows;
}

/** Folds or unfolds a row. A selection that would be hidden moves to the row that hides it. */
export function toggleRow(spans: readonly SpanView[], state: WaterfallState, id: string): WaterfallState {
  const collapsed = new Set(state.collapsed);
  if (!collapsed.delete(id)) collapsed.add(id);
  const isVisible = visibleRows(spans, collapsed).some((row) => row.id === state.selected);
  return { collapsed, selected: state.selected === undefined || isVisible ? state.selected : id };
}

/** Unfolds everything above a span, so that it can be seen. */
export function reveal(byId: ReadonlyMap<string, SpanView>, state: WaterfallState, id: string): WaterfallState {
  const collapsed = new Set(state.collapsed);
  for (let at = byId.get(id)?.parentId; at !== undefined; at = byId.get(at)?.parentId) collapsed.delete(at);
  return { collapsed, selected: id };
}

/**
 * What a key does in the waterfall: the keys of a tree grid (WAI-ARIA Authoring Practices, "Treegrid").
 *
 * @returns undefined for a key that means nothing here
 */
export function pressKey(spans: readonly SpanView[], state: WaterfallState, key: string): WaterfallState | undefined {
  const rows = visibleRows(spans, state.collapsed);
  const at = rows.findIndex(({ id }) => id === state.selected);
  const row = rows[at];
  const select = (next: SpanView | undefined) => ({ ...state, selected: next?.id ?? state.selected });
  switch (key) {
    case 'ArrowDown':
      return select(rows[Math.min(at + 1, rows.length - 1)]);
    case 'ArrowUp':
      return select(rows[Math.max(at - 1, 0)]);
    case 'Home':
      return select(rows[0]);
    case 'End':
      return select(rows.at(-1));
    case 'ArrowRight':
      return row && row.childCount > 0 && state.collapsed.has(row.id)
        ? toggleRow(spans, state, row.id)
        : select(row && row.childCount > 0 ? rows[at + 1] : row);
    case 'ArrowLeft':
      return row && row.childCount > 0 && !state.collapsed.has(row.id)
        ? toggleRow(spans, state, row.id)
        : select(rows.find(({ id }) => id === row?.parentId) ?? row);
    default:
      return undefined;
  }
}

/** Times for the axis above the bars: round numbers, four to eight of them. */
export function axisTicks(duration: number): readonly number[] {
  if (!(duration > 0)) return [0];
  const rough = duration / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) as number) * power;
  const ticks: number[] = [];
  for (let at = 0; at * step <= duration; at++) ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}
