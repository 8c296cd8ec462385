import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TraceSummary } from '../../../../wire/fleet.js';
import { Badge, Method, toneOfStatus } from '../../../components/badge.js';
import { count, duration } from '../../../components/format.js';
import { Moment } from '../../../components/moment.js';
import { Empty, Loading } from '../../../components/states.js';
import { activeParts, NO_FILTER } from '../model/filters.js';
import { isoTime } from '../model/nanoseconds.js';
import { addedAbove } from '../model/trace-list.js';
import { filter, openTraceId, setFilter, traceInListHref } from '../state/address.js';
import { useFleet } from '../state/context.js';
import { TraceFilters } from './trace-filters.js';
import { rowsInSight, useAnchor, useScroll } from './virtual-list.js';

const ROW = 52;
/** Rows before the end at which the next page is read. */
const AHEAD = 60;
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The newest traces, as long as they are kept; new ones come in at the top. */
export function TraceList() {
  const { store } = useFleet();
  const list = store.list.value;
  const traces = list?.traces ?? NONE;
  const box = useRef<HTMLDivElement>(null);
  const scroll = useScroll(box);
  const before = useRef<readonly TraceSummary[]>(NONE);
  const added = useMemo(() => addedAbove(before.current, traces), [traces]);
  before.current = traces;
  useAnchor(box, added, ROW, traces);
  const lastInSight = Math.ceil((scroll.top + scroll.height) / ROW);
  useEffect(() => {
    if (list?.cursor !== undefined && lastInSight > traces.length - AHEAD) void store.loadMore();
  }, [lastInSight, list]);
  const longest = useMemo(() => traces.reduce((most, trace) => Math.max(most, trace.duration_ms), 0), [traces]);
  const inSight = rowsInSight(traces, ROW, scroll);
  return (
    <section class="traces" aria-label="Traces">
      <header class="panel-head">
        <h2>Traces</h2>
        <span class="panel-hint">
          {list && count(traces.length)}
          {list?.cursor !== undefined && '+'}
        </span>
        <button
          type="button"
          class="live-toggle"
          aria-pressed={store.following.value}
          onClick={() => (store.following.value = !store.following.value)}
        >
          {store.following.value ? 'Live' : 'Paused'}
        </button>
      </header>
      <TraceFilters />
      <div ref={box} class="trace-rows" tabIndex={traces.length === 0 ? undefined : -1} onKeyDown={moveFocus}>
        {list === undefined ? (
          <Loading />
        ) : traces.length === 0 ? (
          <NoTraces />
        ) : (
          <ul aria-label="Traces, newest first" style={inSight.style}>
            {inSight.rows.map((trace) => (
              <TraceRow key={trace.trace_id} trace={trace} longest={longest} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const NONE: readonly TraceSummary[] = [];

function TraceRow({ trace, longest }: { readonly trace: TraceSummary; readonly longest: number }) {
  const { trace_id: id, services, method, route, status, duration_ms: ms, has_error: failed } = trace;
  const time = isoTime(trace.start_ns);
  return (
    <li class={`trace-row${failed ? ' has-failed' : ''}`}>
      <a href={traceInListHref(id)} data-trace={id} aria-current={openTraceId.value === id ? 'true' : undefined}>
        <span class="trace-what">
          <Method name={method} /> <span class="trace-route">{route || '/'}</span>
        </span>
        <span class="trace-status">
          <Badge tone={failed ? 'bad' : toneOfStatus(status)}>{statusText(status, failed)}</Badge>
        </span>
        <span class="trace-path">{services.length > 1 ? pathOf(trace) : trace.root_service}</span>
        <span class="trace-time">
          <b>{duration(ms)}</b> <Moment time={time} />
        </span>
        <svg class="trace-bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
          <rect width={longest > 0 ? Math.max(0.6, (ms / longest) * 100) : 0} height="2" />
        </svg>
      </a>
    </li>
  );
}

// A message or a job has no status.
function statusText(status: number, failed: boolean): string {
  if (status === 0) return failed ? 'error' : 'done';
  return failed && status < 500 ? `${status} · error` : String(status);
}

function pathOf({ root_service: root, services }: TraceSummary): string {
  const others = services.filter((name) => name !== root);
  return others.length <= 2 ? [root, ...others].join(' → ') : `${root} → ${others.length} services`;
}

function NoTraces() {
  const isFiltered = activeParts(filter.value) > 0;
  return (
    <Empty title={isFiltered ? 'No trace fits these filters' : 'No traces yet'}>
      {isFiltered ? (
        <button type="button" class="button button-small" onClick={() => setFilter(NO_FILTER)}>
          Clear filters
        </button>
      ) : (
        'They appear with the first request that a traced service answers.'
      )}
    </Empty>
  );
}

function moveFocus(event: KeyboardEvent): void {
  const step = MOVES[event.key];
  if (step === undefined) return;
  const links = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('a[data-trace]')];
  const next = links[links.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
