import type { ViolationGroup } from '../../../../wire/fleet.js';
import { Badge, toneOfStatus } from '../../../components/badge.js';
import { CopyButton } from '../../../components/facts.js';
import { duration, plural } from '../../../components/format.js';
import { Icon } from '../../../components/icon.js';
import { Moment } from '../../../components/moment.js';
import { Empty, Loading } from '../../../components/states.js';
import { Tabs } from '../../../components/tabs.js';
import { boot } from '../../../boot.js';
import { isoTime } from '../model/nanoseconds.js';
import type { TraceView } from '../model/spans.js';
import {
  blastOrigin,
  closeTrace,
  openTraceId,
  type Panel,
  panel,
  selectSpan,
  showBlast,
  showPanel,
  traceHref,
} from '../state/address.js';
import { useFleet } from '../state/context.js';
import { ViolationTable } from '../views/violations.js';
import { SpanDetail } from './span-detail.js';
import { TraceLogsPanel } from './trace-logs.js';
import { Waterfall } from './waterfall.js';

/** The open trace. */
export function TracePanel() {
  const { open } = useFleet();
  const view = open.view.value;
  const problem = open.problem.value;
  if (problem) {
    return (
      <section class="trace-panel" aria-label="Open trace">
        <Empty icon="errors" title="This trace cannot be shown">
          {problem.message}{' '}
          <button type="button" class="button button-small" onClick={closeTrace}>
            Close
          </button>
        </Empty>
      </section>
    );
  }
  if (!view) return <section class="trace-panel" aria-label="Open trace"><Loading rows={8} /></section>; // prettier-ignore
  const violations = open.explanation.value?.violations ?? [];
  const own = violations.filter(({ trace_id: id }) => id === view.trace.trace_id);
  const titles: readonly (readonly [Panel, string])[] = [
    ['waterfall', 'Waterfall'],
    ['logs', 'Logs'],
    ['violations', own.length === 0 ? 'Contract' : `Contract (${own.length})`],
  ];
  return (
    <section class="trace-panel" aria-label="Open trace">
      <Head view={view} />
      {view.cause && <Cause view={view} />}
      <Tabs label="Open trace" tabs={titles} current={panel.value} onChange={showPanel}>
        {panel.value === 'waterfall' && <WaterfallPanel view={view} />}
        {panel.value === 'logs' && <TraceLogsPanel view={view} />}
        {panel.value === 'violations' && <ContractPanel own={own} all={violations} />}
      </Tabs>
    </section>
  );
}

function Head({ view: { trace, spans, duration: total } }: { readonly view: TraceView }) {
  const entry = spans[0]?.node;
  const time = isoTime(trace.start_ns);
  return (
    <header class="trace-head">
      <h2>
        {entry ? `${entry.method} ${entry.route}` : 'Trace'}{' '}
        <Badge tone={trace.has_error ? 'bad' : toneOfStatus(trace.status)}>{trace.status || 'no status'}</Badge>
      </h2>
      <p class="trace-facts">
        <Moment time={time} as="whole" /> · {duration(total)} · {plural(trace.span_count, 'span')} ·{' '}
        {plural(trace.services.length, 'service')}
        {trace.orphan_count > 0 && ` · ${plural(trace.orphan_count, 'orphan')}`}
        {trace.skew_flagged && ' · clock skew'}
        {trace.spans_dropped !== undefined && ` · ${plural(trace.spans_dropped, 'span')} dropped`}
      </p>
      <span class="copyable trace-id">
        <code>{openTraceId.value}</code> <CopyButton text={trace.trace_id} label="Copy trace id" />
      </span>
      <div class="trace-actions">
        <CopyButton text={new URL(traceHref(trace.trace_id), location.href).href} label="Copy the link to this trace" />
        <a
          class="button button-small"
          href={`${boot.basePath}/api/fleet/traces/${trace.trace_id}/export`}
          download={`trace-${trace.trace_id}.json`}
        >
          Export
        </a>
        <button type="button" class="icon-button" aria-label="Close the trace" onClick={closeTrace}>
          <Icon name="close" />
        </button>
      </div>
    </header>
  );
}

function Cause({ view }: { readonly view: TraceView }) {
  const { cause, trace } = view;
  if (!cause) return null;
  const { service } = cause.node;
  const isShown = blastOrigin.value === service;
  return (
    <div class="cause" role="status">
      <span class="cause-mark" aria-hidden="true">!</span>
      <p>
        <strong>Root cause</strong> {trace.summary}
        <span class="cause-why">{trace.root_cause_reason}</span>
      </p>
      <button type="button" class="button button-small" onClick={() => selectSpan(cause.id)}>
        Show span
      </button>
      <button type="button" class="button button-small" aria-pressed={isShown} onClick={() => showBlast(isShown ? '' : service)}>
        Blast radius
      </button>
    </div>
  ); // prettier-ignore
}

/** Equal violations are kept once, with the newest of their traces: an older trace has only what is known of its calls. */
function ContractPanel({
  own,
  all,
}: {
  readonly own: readonly ViolationGroup[];
  readonly all: readonly ViolationGroup[];
}) {
  const others = all.filter((group) => !own.includes(group));
  return (
    <>
      <ViolationTable
        rows={own}
        empty={
          others.length === 0 && (
            <Empty icon="check" title="No contract violation in this trace">
              Bodies are checked against the OpenAPI documents that services name in their heartbeats.
            </Empty>
          )
        }
      />
      {others.length > 0 && (
        <section aria-labelledby="same-calls">
          <h3 id="same-calls">On the same calls, last seen in other traces</h3>
          <ViolationTable caption="Contract violations of other traces" rows={others} />
        </section>
      )}
    </>
  );
}

function WaterfallPanel({ view }: { readonly view: TraceView }) {
  const { open } = useFleet();
  const span = view.byId.get(open.rows.value.selected ?? '');
  return (
    <div class={`waterfall-and-detail${span ? ' has-detail' : ''}`}>
      <Waterfall view={view} />
      {span && <SpanDetail view={view} span={span} />}
    </div>
  );
}
