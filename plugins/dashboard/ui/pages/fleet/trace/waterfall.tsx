import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Icon } from '../../../components/icon.js';
import { duration, plural } from '../../../components/format.js';
import type { SpanView, TraceView } from '../model/spans.js';
import { hasFailed } from '../model/spans.js';
import { axisTicks, pressKey, toggleRow, visibleRows } from '../model/waterfall.js';
import { selectSpan } from '../state/address.js';
import { useFleet } from '../state/context.js';
import { rowsInSight, useScroll } from './virtual-list.js';

const ROW = 29;
const MAX_INDENTS = 12;
const COLOURS = 6;
/** Share of the width from which the number stands left of the end of its bar. */
const LABEL_INSIDE_FROM = 0.78;

/** Spans of the open trace along its time; a tree that the keyboard walks. */
export function Waterfall({ view }: { readonly view: TraceView }) {
  const { open } = useFleet();
  const box = useRef<HTMLDivElement>(null);
  const scroll = useScroll(box);
  const state = open.rows.value;
  const rows = useMemo(() => visibleRows(view.spans, state.collapsed), [view, state.collapsed]);
  const colours = useMemo(() => coloursOf(view), [view]);
  useSelectionInSight(box, rows, state.selected);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = pressKey(
      view.spans,
      open.rows.peek(),
      event.key === 'Enter' ? enterKey(open.rows.peek(), view) : event.key,
    );
    if (next === undefined) return;
    event.preventDefault();
    open.rows.value = next;
    if (next.selected !== undefined && next.selected !== state.selected) selectSpan(next.selected);
  };
  const inSight = rowsInSight(rows, ROW, scroll);
  return (
    <div class="waterfall">
      <Axis duration={view.duration} />
      <div
        ref={box}
        class="waterfall-rows"
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={rows.length}
        tabIndex={0}
        aria-activedescendant={state.selected === undefined ? undefined : rowId(state.selected)}
        onKeyDown={press}
        onFocus={() => {
          if (state.selected === undefined && rows[0]) selectSpan((view.cause ?? rows[0]).id);
        }}
      >
        <div role="rowgroup" style={inSight.style}>
          {inSight.rows.map((row, at) => (
            <SpanRow
              key={row.id}
              row={row}
              index={inSight.first + at}
              duration={view.duration}
              colour={colours.get(row.node.service) ?? 0}
              selected={row.id === state.selected}
              folded={state.collapsed.has(row.id)}
              onSelect={() => {
                open.rows.value = { ...open.rows.peek(), selected: row.id };
                selectSpan(row.id);
              }}
              onToggle={() => (open.rows.value = toggleRow(view.spans, open.rows.peek(), row.id))}
            />
          ))}
        </div>
      </div>
      <Cursor view={view} />
    </div>
  );
}

function enterKey(
  { selected, collapsed }: { readonly selected: string | undefined; readonly collapsed: ReadonlySet<string> },
  view: TraceView,
): string {
  const row = view.byId.get(selected ?? '');
  if (!row || row.childCount === 0) return 'Enter';
  return collapsed.has(row.id) ? 'ArrowRight' : 'ArrowLeft';
}

function rowId(span: string): string {
  return `span-${span}`;
}

function coloursOf({ spans }: TraceView): ReadonlyMap<string, number> {
  const names = [...new Set(spans.map(({ node }) => node.service))];
  return new Map(names.map((name, at) => [name, at % COLOURS]));
}

function Axis({ duration: total }: { readonly duration: number }) {
  // At the very end there is no room for a number.
  const ticks = axisTicks(total).filter((tick) => tick <= total * 0.92);
  return (
    <div class="waterfall-axis" aria-hidden="true">
      <span class="waterfall-label">Service and operation</span>
      <span class="waterfall-track">
        {ticks.map((tick) => (
          <span key={tick} class="tick" style={{ left: share(tick, total) }}>
            {duration(tick)}
          </span>
        ))}
      </span>
    </div>
  );
}

function SpanRow({
  row,
  index,
  duration: total,
  colour,
  selected,
  folded,
  onSelect,
  onToggle,
}: {
  readonly row: SpanView;
  readonly index: number;
  readonly duration: number;
  readonly colour: number;
  readonly selected: boolean;
  readonly folded: boolean;
  readonly onSelect: () => void;
  readonly onToggle: () => void;
}) {
  const { node, depth, childCount, mark } = row;
  const failed = hasFailed(node);
  const kind = node.kind ?? 'server';
  return (
    <div
      id={rowId(row.id)}
      class={`span-row mark-${mark}${failed ? ' has-failed' : ''}`}
      role="row"
      aria-level={depth + 1}
      aria-rowindex={index + 1}
      aria-selected={selected}
      {...(childCount > 0 && { 'aria-expanded': !folded })}
      onClick={onSelect}
    >
      <div class="waterfall-label" role="gridcell" style={{ '--depth': Math.min(depth, MAX_INDENTS) }}>
        {childCount > 0 ? (
          <button
            type="button"
            class={`fold${folded ? '' : ' is-open'}`}
            tabIndex={-1}
            aria-label={folded ? `Unfold ${plural(row.descendants, 'span')}` : 'Fold'}
            onClick={(event) => {
              event.stopPropagation();
              onToggle();
            }}
          >
            <Icon name="chevron" size={12} />
          </button>
        ) : (
          <span class="fold-none" />
        )}
        <i class={`swatch colour-${colour}`} />
        <span class="span-service">{node.service || 'unnamed service'}</span>
        <span class="span-route">{kind === 'server' ? `${node.method} ${node.route}` : `${kind} · ${node.route}`}</span>
        {folded && <span class="span-folded">+{row.descendants}</span>}
        <Marks row={row} />
      </div>
      <div class="waterfall-track" role="gridcell">
        <Bar row={row} total={total} colour={colour} failed={failed} />
      </div>
    </div>
  );
}

/** What is special about a span, in words. */
export function Marks({ row: { mark, node } }: { readonly row: SpanView }) {
  return (
    <>
      {mark === 'cause' && <span class="mark mark-cause" title={node.reason}><span class="mark-root">Root </span>cause</span>}
      {mark === 'derived' && <span class="mark mark-derived" title={node.reason}>Derived</span>}
      {node.orphan && <span class="mark mark-note" title="Its parent never arrived.">Orphan</span>}
      {node.skewed && <span class="mark mark-note" title="Its clock runs before its caller's: it was moved into its caller.">Clock skew</span>}
    </>
  ); // prettier-ignore
}

function Bar({
  row,
  total,
  colour,
  failed,
}: {
  readonly row: SpanView;
  readonly total: number;
  readonly colour: number;
  readonly failed: boolean;
}) {
  const isLate = total > 0 && row.end / total > LABEL_INSIDE_FROM;
  // Where there is no room on either side the number stands in the bar.
  const isInside = isLate && row.start / total < 1 - LABEL_INSIDE_FROM;
  const place = isInside || !isLate ? undefined : `calc(100% - ${share(row.start, total)})`;
  const text = `${duration(row.node.duration_ms)}${failed ? ` · ${row.node.status || 'error'}` : ''}`;
  return (
    <>
      <span
        class={`span-bar colour-${colour}${failed ? ' is-failed' : ''}`}
        style={{ left: share(row.start, total), width: `max(2px, ${share(row.end - row.start, total)})` }}
      />
      <span
        class={`bar-text${isInside ? ' is-inside' : ''}`}
        style={
          place !== undefined
            ? { right: place }
            : isInside
              ? { right: `calc(100% - ${share(row.end, total)})` }
              : { left: share(row.end, total) }
        }
      >
        {text}
      </span>
    </>
  );
}

function share(part: number, total: number): string {
  return `${total > 0 ? ((part / total) * 100).toFixed(3) : 0}%`;
}

/** The line that moves over the bars during a playback; what lies right of it has not happened yet. */
function Cursor({ view }: { readonly view: TraceView }) {
  const { open } = useFleet();
  const track = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const veil = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let width = 0;
    const place = () => {
      const at = open.cursor.peek();
      const isOn = at !== undefined;
      track.current?.classList.toggle('is-on', isOn);
      if (!isOn || !line.current || !veil.current) return;
      const done = view.duration > 0 ? Math.min(1, at / view.duration) : 1;
      line.current.style.transform = `translateX(${(done * width).toFixed(2)}px)`;
      veil.current.style.transform = `scaleX(${(1 - done).toFixed(5)})`;
    };
    const observer = new ResizeObserver(([entry]) => {
      width = entry?.contentRect.width ?? 0;
      place();
    });
    if (track.current) observer.observe(track.current);
    const end = effect(() => {
      void open.cursor.value;
      place();
    });
    return () => {
      end();
      observer.disconnect();
    };
  }, [view]);
  return (
    <div ref={track} class="cursor-track" aria-hidden="true">
      <div ref={veil} class="cursor-veil" />
      <div ref={line} class="cursor-line" />
    </div>
  );
}

function useSelectionInSight(
  box: { readonly current: HTMLElement | null },
  rows: readonly SpanView[],
  selected: string | undefined,
): void {
  useEffect(() => {
    const at = rows.findIndex(({ id }) => id === selected);
    const target = box.current;
    if (at < 0 || !target) return;
    const [top, bottom] = [at * ROW, (at + 1) * ROW];
    if (top < target.scrollTop) target.scrollTop = top;
    else if (bottom > target.scrollTop + target.clientHeight) target.scrollTop = bottom - target.clientHeight;
  }, [selected, rows]);
}
