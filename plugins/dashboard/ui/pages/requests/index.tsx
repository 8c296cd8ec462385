import type { RequestRecord } from '../../../wire/api.js';
import { reconnections, useLive } from '../../api/live.js';
import { useResource } from '../../api/use-resource.js';
import { withNewest } from '../../api/with-newest.js';
import { Method, StatusBadge } from '../../components/badge.js';
import { timeColumn } from '../../components/columns.js';
import { FilterBar, SearchField, Segments, Select, Toggle } from '../../components/filters.js';
import { bytes, duration } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { type Column, Table } from '../../components/table.js';
import { href, path, query, setQuery } from '../../shell/router.js';
import { useEffect, useState } from 'preact/hooks';
import { RequestPanel } from './request-panel.js';

const LIMIT = 300;
/** The server keeps recording everything while somebody asks at least once a minute. */
const REFRESH_MS = 15_000;
const SLOW_MS = 500;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Requests as they come, and one of them opened. */
export default function RequestsPage() {
  const [following, setFollowing] = useState(true);
  const filters = filtersOf(query.value);
  const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  search.set('limit', String(LIMIT));
  const resource = useResource<readonly RequestRecord[]>(`requests?${search}`, following ? REFRESH_MS : 0);
  useEffect(() => {
    if (reconnections.value > 0) resource.reload();
  }, [reconnections.value]);
  useLive('request', (record) => {
    if (following && fits(record, filters)) resource.update((rows) => withNewest(rows, record, LIMIT));
  });
  const open = /^\/requests\/([^/]+)$/.exec(path.value)?.[1];
  return (
    <>
      <PageHeader title="Requests" subtitle="Failed and slow ones always, all of them while somebody looks.">
        <Toggle label="Follow live" on={following} onChange={setFollowing} />
      </PageHeader>
      <Filters {...filters} />
      <div class={`split${open ? ' split-open' : ''}`}>
        <Loaded resource={resource} rows={12}>
          {(rows) => <RequestTable rows={rows} open={open} filtered={search.size > 1} />}
        </Loaded>
        {open && <RequestPanel key={open} id={open} />}
      </div>
    </>
  );
}

interface RequestFilters {
  readonly method: string;
  readonly status: string;
  readonly route: string;
  readonly trace_id: string;
}

function filtersOf(search: URLSearchParams): RequestFilters {
  const of = (name: string) => search.get(name) ?? '';
  return { method: of('method'), status: of('status'), route: of('route'), trace_id: of('trace_id') };
}

function fits(record: RequestRecord, { method, status, route, trace_id }: RequestFilters): boolean {
  return (
    (method === '' || record.method === method) &&
    (status === '' || String(record.status)[0] === status[0]) &&
    (route === '' || record.route.includes(route) || record.path.includes(route)) &&
    (trace_id === '' || record.trace_id === trace_id)
  );
}

function Filters({ method, status, route, trace_id }: RequestFilters) {
  return (
    <FilterBar>
      <SearchField label="Route or path" value={route} onInput={(text) => setQuery({ route: text })} />
      <Select
        label="Method"
        value={method}
        options={[['', 'Any method'], ...METHODS.map((name) => [name, name] as const)]}
        onChange={(value) => setQuery({ method: value })}
      />
      <Segments
        label="Status"
        value={status}
        options={[
          ['', 'All'],
          ['2xx', '2xx'],
          ['3xx', '3xx'],
          ['4xx', '4xx'],
          ['5xx', '5xx'],
        ]}
        onChange={(value) => setQuery({ status: value })}
      />
      {trace_id !== '' && (
        <button type="button" class="button button-small" onClick={() => setQuery({ trace_id: '' })}>
          Trace {trace_id.slice(0, 12)}… ×<span class="visually-hidden"> remove the filter</span>
        </button>
      )}
    </FilterBar>
  );
}

function RequestTable({
  rows,
  open,
  filtered,
}: {
  readonly rows: readonly RequestRecord[];
  readonly open: string | undefined;
  readonly filtered: boolean;
}) {
  const search = query.value.size > 0 ? `?${query.value}` : '';
  return (
    <div class="card card-flush">
      <Table
        caption="Requests"
        rows={rows}
        rowKey={({ id }) => id}
        isCurrent={({ id }) => id === open}
        empty={
          <Empty icon="requests" title={filtered ? 'No request fits the filters' : 'No request yet'}>
            {filtered
              ? 'Remove a filter, or wait for one that fits.'
              : 'Send one to the application: it appears here at once.'}
          </Empty>
        }
        columns={open ? columnsOf(search) : [...columnsOf(search), ...MORE_COLUMNS]}
      />
    </div>
  );
}

function columnsOf(search: string): readonly Column<RequestRecord>[] {
  return [
    timeColumn(),
    { id: 'method', title: 'Method', cell: ({ method }) => <Method name={method} /> },
    {
      id: 'path',
      title: 'Path',
      wide: true,
      sort: (row) => row.path,
      cell: (row) => (
        <a class="row-link mono" href={href(`/requests/${row.id}${search}`)}>
          {row.path}
        </a>
      ),
    },
    {
      id: 'status',
      title: 'Status',
      sort: ({ status }) => status,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'duration',
      title: 'Duration',
      align: 'right',
      sort: (row) => row.duration_ms,
      cell: (row) => <span class={row.duration_ms >= SLOW_MS ? 'bad' : ''}>{duration(row.duration_ms)}</span>,
    },
  ];
}

/** Left out while a request is open. */
const MORE_COLUMNS: readonly Column<RequestRecord>[] = [
  {
    id: 'steps',
    title: 'Steps',
    align: 'right',
    optional: true,
    cell: ({ steps }) => <span class="muted">{steps || '–'}</span>,
  },
  {
    id: 'size',
    title: 'Size',
    align: 'right',
    optional: true,
    sort: (row) => row.resp_size,
    cell: (row) => <span class="muted">{bytes(row.resp_size)}</span>,
  },
  { id: 'client', title: 'Client', optional: true, cell: ({ user, ip }) => <span class="muted">{user || ip}</span> },
];
