import { useEffect, useMemo } from 'preact/hooks';
import { connection } from '../../api/live.js';
import { count, percent } from '../../components/format.js';
import { Icon } from '../../components/icon.js';
import { PageHeader } from '../../components/page-header.js';
import { Tabs } from '../../components/tabs.js';
import { Moment } from '../../components/moment.js';
import { Mesh } from './mesh/mesh.js';
import { openTraceId, showView, type View, view } from './state/address.js';
import { Fleet, useFleet } from './state/context.js';
import { FleetStore } from './state/fleet-store.js';
import { OpenTrace } from './state/open-trace.js';
import { TraceList } from './trace/trace-list.js';
import { TracePanel } from './trace/trace-panel.js';
import { BoundsView } from './views/bounds.js';
import { IncidentStrip, IncidentsView } from './views/incidents.js';
import { ServicesAtAGlance, ServicesView } from './views/services.js';
import { ViolationsView } from './views/violations.js';

/** Traces, topology and incidents of a fleet of services. */
export default function FleetPage() {
  const fleet = useMemo(() => {
    const store = new FleetStore();
    return { store, open: new OpenTrace(store) };
  }, []);
  useEffect(() => {
    const ends = [fleet.store.start(), fleet.open.start()];
    return () => ends.forEach((end) => end());
  }, [fleet]);
  return (
    <Fleet.Provider value={fleet}>
      <div class="fleet">
        <Header />
        <Away />
        <IncidentStrip />
        <Views />
      </div>
    </Fleet.Provider>
  );
}

function Header() {
  const { store } = useFleet();
  const services = store.services.value;
  const stats = store.stats.value;
  const unwell = services.filter(({ state }) => state === 'degraded' || state === 'down').length;
  return (
    <PageHeader title="Fleet">
      <ul class="fleet-facts" aria-label="The fleet in numbers">
        {store.isAsked.value && (
          <li>
            <Counted amount={services.length} one="service" />
            {unwell > 0 && <span class="is-bad"> · {unwell} unwell</span>}
          </li>
        )}
        {stats && (
          <>
            <li>
              <b>{count(stats.traces)}</b> of {count(stats.max_traces)} traces
            </li>
            <li>
              <Counted amount={stats.spans} one="span" />
            </li>
            <li>
              <Counted amount={stats.traces_evicted + stats.traces_expired} one="trace" /> gone
            </li>
            <li class={stats.spans_dropped + stats.spans_rejected > 0 ? 'is-bad' : ''}>
              <Counted amount={stats.spans_dropped + stats.spans_rejected} one="span" /> lost
            </li>
          </>
        )}
      </ul>
      <LinkBadge />
    </PageHeader>
  );
}

function Counted({ amount, one }: { readonly amount: number; readonly one: string }) {
  return (
    <>
      <b>{count(amount)}</b> {amount === 1 ? one : `${one}s`}
    </>
  );
}

function LinkBadge() {
  const { store } = useFleet();
  const link = store.link.value;
  const word = { connecting: 'Connecting', there: 'Live', away: 'Aggregator away' }[link.is];
  return (
    <span class={`link-badge link-${link.is}`} role="status">
      <i /> {word}
    </span>
  );
}

/** Notice that the aggregator, or the application in between, cannot be reached; known data stay visible. */
function Away() {
  const { store } = useFleet();
  const link = store.link.value;
  if (link.is !== 'away') return null;
  // Every page shows already that the application itself does not answer.
  if (connection.value !== 'live') return null;
  const since = <Moment time={new Date(link.since).toISOString()} as="whole" />;
  return (
    <div class="notice notice-warn fleet-away" role="alert">
      <Icon name="errors" />
      <p>
        <strong>The Fleet aggregator is away</strong> since {since}: {link.reason.replace(/[.\s]*$/, '.')}{' '}
        {store.isAsked.value && 'What you see is what was known then. '}It is tried again all the time.
      </p>
    </div>
  );
}

function Views() {
  const { store } = useFleet();
  const stats = store.stats.value;
  const open = store.openIncidents.value.length;
  const violations = stats?.contracts.violations ?? 0;
  const titles: readonly (readonly [View, string])[] = [
    ['traces', 'Traces'],
    ['incidents', open > 0 ? `Incidents (${open})` : 'Incidents'],
    ['violations', violations > 0 ? `Violations (${count(violations)})` : 'Violations'],
    ['services', 'Services'],
    ['bounds', stats ? `Bounds (${percent(stats.max_traces > 0 ? stats.traces / stats.max_traces : 0)})` : 'Bounds'],
  ];
  return (
    <Tabs label="Fleet" tabs={titles} current={view.value} onChange={showView}>
      {view.value === 'traces' && <TracesView />}
      {view.value === 'incidents' && <IncidentsView />}
      {view.value === 'violations' && <ViolationsView />}
      {view.value === 'services' && <ServicesView />}
      {view.value === 'bounds' && <BoundsView />}
    </Tabs>
  );
}

function TracesView() {
  return (
    <div class={`fleet-traces${openTraceId.value === '' ? '' : ' has-open'}`}>
      <Mesh />
      <div class="list-and-trace">
        <TraceList />
        {openTraceId.value !== '' ? <TracePanel /> : <ServicesAtAGlance />}
      </div>
    </div>
  );
}
