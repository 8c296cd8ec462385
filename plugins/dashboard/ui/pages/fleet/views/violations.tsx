import type { ComponentChildren } from 'preact';
import type { NotChecked, ViolationGroup } from '../../../../wire/fleet.js';
import { Badge } from '../../../components/badge.js';
import { Card } from '../../../components/card.js';
import { ago, count } from '../../../components/format.js';
import { Empty, Loading } from '../../../components/states.js';
import { type Column, Table } from '../../../components/table.js';
import { isoTime } from '../model/nanoseconds.js';
import { traceHref } from '../state/address.js';
import { useFleet } from '../state/context.js';

/** Rules about a request as a whole, which no pointer leads into. */
const OF_REQUEST: ReadonlySet<string> = new Set(['route', 'method', 'status', 'mediaType', 'content']);

const COLUMNS: readonly Column<ViolationGroup>[] = [
  {
    id: 'severity',
    title: 'Severity',
    cell: ({ severity }) => <Badge tone={severity === 'error' ? 'bad' : 'warn'}>{severity}</Badge>,
    sort: ({ severity }) => severity,
  },
  {
    id: 'call',
    title: 'Call',
    cell: ({ caller, callee, method, route, direction, origin }) => (
      <span class="two-lines">
        <span>
          {caller || 'outside'} → {callee} <Badge tone="quiet">{direction}</Badge>
        </span>
        <code>
          {method} {route}
        </code>
        {origin !== (direction === 'response' ? callee : caller) && (
          <span class="muted">
            passed on: it comes from <b>{origin || 'outside'}</b>
          </span>
        )}
      </span>
    ),
    sort: ({ callee, route }) => `${callee} ${route}`,
  },
  {
    id: 'pointer',
    title: 'Pointer',
    cell: ({ path, rule }) =>
      OF_REQUEST.has(rule) ? <span class="muted">none</span> : <code class="wrap">{path || '(the body)'}</code>,
    sort: ({ path }) => path,
  },
  {
    id: 'rule',
    title: 'Rule',
    cell: ({ rule, expected, observed }) => (
      <span class="two-lines">
        <code>{rule}</code>
        <span class="muted">
          expected <b>{expected}</b>, observed <b>{observed}</b>
        </span>
      </span>
    ),
    sort: ({ rule }) => rule,
  },
  { id: 'count', title: 'Times', align: 'right', cell: (row) => count(row.count), sort: (row) => row.count },
  {
    id: 'seen',
    title: 'Last seen',
    cell: ({ last_seen: seen }) => ago(isoTime(seen)),
    sort: ({ last_seen: seen }) => seen,
    optional: true,
  },
  {
    id: 'trace',
    title: 'Trace',
    cell: ({ trace_id: trace, span_id: span }) => (
      <a href={traceHref(trace, span)} aria-label={`Open trace ${trace.slice(0, 8)}`}>
        {trace.slice(0, 8)}
      </a>
    ),
  },
];

/** Contract violations: where in the body, what was promised and what was there. Types only, never a value. */
export function ViolationTable({
  caption = 'Contract violations',
  rows,
  empty,
}: {
  readonly caption?: string;
  readonly rows: readonly ViolationGroup[];
  readonly empty?: ComponentChildren;
}) {
  return (
    <Table
      caption={caption}
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) =>
        [row.caller, row.callee, row.method, row.route, row.direction, row.path, row.rule, row.first_seen].join(' ')
      }
      order={{ column: 'seen', down: true }}
      empty={empty}
    />
  );
}

/** Every violation that is kept. */
export function ViolationsView() {
  const { store } = useFleet();
  const rows = store.violations.value;
  const contracts = store.stats.value?.contracts;
  if (rows === undefined) return <Loading />;
  const notChecked = contracts?.not_checked ?? [];
  return (
    <div class="stack">
      <Card title="Contract violations" hint="equal ones are counted" flush>
        <ViolationTable
          rows={rows}
          empty={
            <Empty icon="check" title={contracts?.off ? 'Contracts are not checked' : 'No contract violations'}>
              {contracts?.off
                ? 'The aggregator has contractValidation off.'
                : 'What services send fits what their OpenAPI documents promise, as far as it was checked.'}
            </Empty>
          }
        />
      </Card>
      {notChecked.length > 0 && (
        <Card title="Not checked" hint="given up, so that other services are not kept waiting" flush>
          <NotCheckedTable rows={notChecked} />
        </Card>
      )}
    </div>
  );
}

const NOT_CHECKED_COLUMNS: readonly Column<NotChecked>[] = [
  { id: 'service', title: 'Service', cell: ({ service }) => service, sort: ({ service }) => service },
  {
    id: 'body',
    title: 'Body',
    cell: ({ method, route, direction }) =>
      direction === '' ? (
        'all'
      ) : (
        <span>
          <code>
            {method} {route}
          </code>{' '}
          <Badge tone="quiet">{direction}</Badge>
        </span>
      ),
    sort: ({ route }) => route,
  },
  { id: 'reason', title: 'Reason', cell: ({ reason }) => <span class="wrap">{reason}</span> },
  { id: 'count', title: 'Times', align: 'right', cell: (row) => count(row.count), sort: (row) => row.count },
];

function NotCheckedTable({ rows }: { readonly rows: readonly NotChecked[] }) {
  return (
    <Table
      caption="Bodies that were not checked"
      columns={NOT_CHECKED_COLUMNS}
      rows={rows}
      rowKey={(row) => [row.service, row.method, row.route, row.direction, row.reason].join(' ')}
      order={{ column: 'count', down: true }}
      empty={null}
    />
  );
}
