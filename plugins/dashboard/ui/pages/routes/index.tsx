import type { RouteStatistics } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Badge, Method } from '../../components/badge.js';
import { problemColumn } from '../../components/columns.js';
import { FilterBar, SearchField, Toggle } from '../../components/filters.js';
import { ago, count, duration, plural } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { type Column, Table } from '../../components/table.js';
import { href, query, setQuery } from '../../shell/router.js';

const REFRESH_MS = 5_000;

/** Every route with its traffic. */
export default function RoutesPage() {
  const resource = useResource<readonly RouteStatistics[]>('routes', REFRESH_MS);
  const text = query.value.get('q') ?? '';
  const used = query.value.get('used') === '1';
  const fits = ({ pattern, summary, controller, requests }: RouteStatistics) =>
    (!used || requests > 0) && `${pattern} ${summary} ${controller}`.toLowerCase().includes(text.toLowerCase());
  const { data } = resource;
  return (
    <>
      <PageHeader
        title="Routes"
        subtitle={
          data &&
          `${plural(data.length, 'route')}, ${data.filter(({ documented }) => !documented).length} without a title`
        }
      />
      <FilterBar>
        <SearchField label="Path, title or handler" value={text} onInput={(q) => setQuery({ q })} />
        <Toggle label="With traffic only" on={used} onChange={(on) => setQuery({ used: on ? '1' : '' })} />
      </FilterBar>
      <Loaded resource={resource} rows={12}>
        {(routes) => <RouteTable routes={routes.filter(fits)} />}
      </Loaded>
    </>
  );
}

function RouteTable({ routes }: { readonly routes: readonly RouteStatistics[] }) {
  return (
    <div class="card card-flush">
      <Table
        caption="Routes"
        order={{ column: 'requests', down: true }}
        rows={routes}
        rowKey={({ method, pattern, websocket }) => `${method} ${pattern} ${websocket}`}
        empty={
          <Empty icon="routes" title="No route fits">
            Remove a filter to see the others.
          </Empty>
        }
        columns={COLUMNS}
      />
    </div>
  );
}

const COLUMNS: readonly Column<RouteStatistics>[] = [
  {
    id: 'method',
    title: 'Method',
    sort: ({ method }) => method,
    cell: ({ method }) => <Method name={method} />,
  },
  {
    id: 'route',
    title: 'Route',
    wide: true,
    sort: ({ pattern }) => pattern,
    cell: ({ pattern, summary, controller, method, blocking, websocket, ...access }) => (
      <span title={controller}>
        <a class="row-link mono" href={href(`/requests?route=${encodeURIComponent(pattern)}&method=${method}`)}>
          {pattern}
        </a>{' '}
        {blocking && <Badge tone="warn">blocking</Badge>} {websocket && <Badge tone="info">WebSocket</Badge>}{' '}
        {access.roles && <Badge tone="info">roles: {access.roles.join(' ') || 'any'}</Badge>}{' '}
        {access.public && <Badge tone="info">public</Badge>} <span class="muted">{summary}</span>
      </span>
    ),
  },
  {
    id: 'requests',
    title: 'Requests',
    align: 'right',
    sort: ({ requests }) => requests,
    cell: ({ requests }) => quiet(requests, count(requests)),
  },
  {
    id: 'avg',
    title: 'Average',
    align: 'right',
    sort: (row) => row.avg_latency_ms,
    cell: (row) => quiet(row.requests, duration(row.avg_latency_ms)),
  },
  {
    id: 'p95',
    title: 'p95',
    align: 'right',
    sort: (row) => row.p95_latency_ms,
    cell: (row) => quiet(row.requests, duration(row.p95_latency_ms)),
  },
  {
    id: 'max',
    title: 'Longest',
    align: 'right',
    optional: true,
    sort: (row) => row.max_latency_ms,
    cell: (row) => quiet(row.requests, duration(row.max_latency_ms)),
  },
  problemColumn('errors', '5xx'),
  {
    id: 'last',
    title: 'Last request',
    align: 'right',
    optional: true,
    sort: (row) => row.last_request ?? '',
    cell: (row) => <span class="muted">{row.last_request ? ago(row.last_request) : 'never'}</span>,
  },
];

function quiet(requests: number, text: string) {
  return requests > 0 ? text : <span class="muted">–</span>;
}
