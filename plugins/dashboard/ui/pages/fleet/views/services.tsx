import type { CatalogEntry } from '../../../../wire/fleet.js';
import { Badge, Dot, Method, type Tone } from '../../../components/badge.js';
import { Card } from '../../../components/card.js';
import { ago, count, duration, percent, span } from '../../../components/format.js';
import { Empty, Loading } from '../../../components/states.js';
import { type Column, Table } from '../../../components/table.js';
import { stateWord } from '../mesh/service-card.js';
import type { FleetService } from '../model/service-state.js';
import { traceListHref } from '../state/address.js';
import { useFleet } from '../state/context.js';

const TONES: Readonly<Record<FleetService['state'], Tone>> = {
  up: 'ok',
  degraded: 'warn',
  down: 'bad',
  silent: 'quiet',
};

const SERVICES: readonly Column<FleetService>[] = [
  {
    id: 'name',
    title: 'Service',
    cell: ({ name }) => <a href={traceListHref({ service: name })}>{name}</a>,
    sort: ({ name }) => name,
    wide: true,
  },
  {
    id: 'state',
    title: 'State',
    cell: ({ state }) => (
      <>
        <Dot tone={TONES[state]} /> {stateWord(state)}
      </>
    ),
    sort: ({ state }) => ['down', 'degraded', 'silent', 'up'].indexOf(state),
  },
  { id: 'instances', title: 'Instances', align: 'right', cell: ({ info }) => info?.instances ?? '–', sort: ({ info }) => info?.instances ?? 0, optional: true },
  { id: 'versions', title: 'Versions', cell: ({ info }) => info?.versions?.join(', ') ?? '–', optional: true },
  { id: 'calls', title: 'Calls', align: 'right', cell: ({ node }) => count(node?.calls ?? 0), sort: ({ node }) => node?.calls ?? 0 },
  {
    id: 'errors',
    title: 'Failed',
    align: 'right',
    cell: ({ node }) => <span class={node && node.error_rate > 0 ? 'is-bad' : ''}>{percent(node?.error_rate ?? 0)}</span>,
    sort: ({ node }) => node?.error_rate ?? 0,
  },
  {
    id: 'work',
    title: 'Messages, jobs',
    align: 'right',
    cell: ({ node }) => (node?.work ? <span class={node.work.errors > 0 ? 'is-bad' : ''}>{count(node.work.calls)}{node.work.errors > 0 && `, ${percent(node.work.error_rate)} failed`}</span> : '–'),
    sort: ({ node }) => node?.work?.calls ?? 0,
    optional: true,
  },
  { id: 'p50', title: 'p50', align: 'right', cell: ({ node }) => duration(node?.p50_ms), sort: ({ node }) => node?.p50_ms ?? 0, optional: true },
  { id: 'p95', title: 'p95', align: 'right', cell: ({ node }) => duration(node?.p95_ms), sort: ({ node }) => node?.p95_ms ?? 0 },
  {
    id: 'heartbeat',
    title: 'Heartbeat',
    cell: ({ info }) => (info ? ago(new Date(info.last_heartbeat_unix * 1000).toISOString()) : 'none'),
    sort: ({ info }) => info?.last_heartbeat_unix ?? 0,
    optional: true,
  },
]; // prettier-ignore

const ROUTES: readonly Column<CatalogEntry>[] = [
  { id: 'service', title: 'Service', cell: ({ service }) => service, sort: ({ service }) => service },
  {
    id: 'route',
    title: 'Route',
    cell: ({ method, route }) => (
      <>
        <Method name={method} /> <code>{route}</code>
      </>
    ),
    sort: ({ route }) => route,
    wide: true,
  },
  { id: 'calls', title: 'Calls', align: 'right', cell: (row) => `${row.estimated ? '≈ ' : ''}${count(row.calls)}`, sort: (row) => row.calls },
  {
    id: 'errors',
    title: 'Failed',
    align: 'right',
    cell: (row) => <span class={row.errors > 0 ? 'is-bad' : ''}>{percent(row.error_rate)}</span>,
    sort: (row) => row.error_rate,
  },
  { id: 'p50', title: 'p50', align: 'right', cell: (row) => duration(row.p50_ms), sort: (row) => row.p50_ms, optional: true },
  { id: 'p95', title: 'p95', align: 'right', cell: (row) => duration(row.p95_ms), sort: (row) => row.p95_ms },
  {
    id: 'contract',
    title: 'Contract',
    cell: ({ schema_known: known, documented }) => (
      <Badge tone={documented ? 'ok' : known ? 'warn' : 'quiet'}>
        {documented ? 'documented' : known ? 'not documented' : 'no schema'}
      </Badge>
    ),
    sort: ({ schema_known: known, documented }) => (documented ? 2 : known ? 1 : 0),
  },
]; // prettier-ignore

const AT_A_GLANCE = ['name', 'state', 'calls', 'errors', 'p95'];

/** The services in a few columns, beside the trace list; those that are not well first. */
export function ServicesAtAGlance() {
  const { store } = useFleet();
  return (
    <Card title="Services" hint={store.isAsked.value ? `${store.services.value.length}` : ''} flush>
      <div class="glance">
        <Table
          caption="Services at a glance"
          columns={SERVICES.filter(({ id }) => AT_A_GLANCE.includes(id))}
          rows={store.services.value}
          rowKey={({ name }) => name}
          order={{ column: 'state', down: false }}
          empty={store.isAsked.value ? <Empty icon="fleet" title="No services reporting yet" /> : <Loading />}
        />
      </div>
    </Card>
  );
}

/** The services of the fleet, and the routes that were asked for; both over the same time. */
export function ServicesView() {
  const { store } = useFleet();
  const catalog = store.catalog.value;
  const { window_ms: ms } = store.topology.value;
  const last = ms === undefined ? '' : `last ${span(ms / 1000)}`;
  const isEstimated = catalog?.some(({ estimated }) => estimated);
  return (
    <div class="stack">
      <Card title="Services" hint={last} flush>
        <Table
          caption="Services of the fleet"
          columns={SERVICES}
          rows={store.services.value}
          rowKey={({ name }) => name}
          order={{ column: 'state', down: false }}
          empty={store.isAsked.value ? <Empty icon="fleet" title="No services reporting yet" /> : <Loading />}
        />
      </Card>
      <Card title="Routes" hint={isEstimated ? `${last} · ≈ by the requests that are recorded` : last} flush>
        {catalog ? (
          <Table
            caption="Routes of the services"
            columns={ROUTES}
            rows={catalog}
            rowKey={({ service, method, route }) => `${service} ${method} ${route}`}
            empty={<Empty icon="routes" title="No routes yet" />}
          />
        ) : (
          <Loading />
        )}
      </Card>
    </div>
  );
}
