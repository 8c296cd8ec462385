import type { ErrorGroup, ErrorsAnswer, FailedResponses } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Badge, Method, StatusBadge } from '../../components/badge.js';
import { countColumn, lastSeenColumn } from '../../components/columns.js';
import { Code, Facts } from '../../components/facts.js';
import { ago, clock, plural } from '../../components/format.js';
import { Icon } from '../../components/icon.js';
import { PageHeader } from '../../components/page-header.js';
import { Bars } from '../../components/sparkline.js';
import { Empty, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Tabs } from '../../components/tabs.js';
import { href, navigate, path, query, setQuery } from '../../shell/router.js';

const REFRESH_MS = 5_000;
type View = 'exceptions' | 'responses';

/** What went wrong, each cause once. */
export default function ErrorsPage() {
  const resource = useResource<ErrorsAnswer>('errors', REFRESH_MS);
  const { data } = resource;
  const onlyResponses = data?.exceptions.length === 0 && data.responses.length > 0;
  const view: View = (query.value.get('view') as View | null) ?? (onlyResponses ? 'responses' : 'exceptions');
  return (
    <>
      <PageHeader
        title="Errors"
        subtitle="Errors with the same name and place are one; bars are the last 30 minutes."
      />
      <Loaded resource={resource} rows={8}>
        {({ exceptions, responses, dropped }) => (
          <Tabs
            label="Kind of errors"
            current={view}
            onChange={(id) => setQuery({ view: id })}
            tabs={[
              ['exceptions', `Exceptions ${exceptions.length}`],
              ['responses', `Failed responses ${responses.length}`],
            ]}
          >
            {view === 'exceptions' ? <Exceptions groups={exceptions} /> : <Responses groups={responses} />}
            {dropped > 0 && <p class="list-end muted">{plural(dropped, 'older group')} had to go.</p>}
          </Tabs>
        )}
      </Loaded>
    </>
  );
}

function Exceptions({ groups }: { readonly groups: readonly ErrorGroup[] }) {
  const open = groups.find(({ id }) => path.value === `/errors/${id}`);
  return (
    <div class={`split${open ? ' split-open' : ''}`}>
      <div class="card card-flush">
        <Table
          caption="Exceptions"
          rows={groups}
          rowKey={({ id }) => id}
          isCurrent={({ id }) => id === open?.id}
          empty={
            <Empty icon="check" title="No exception">
              Nothing was logged as an error since the start.
            </Empty>
          }
          columns={[
            {
              id: 'error',
              title: 'Error',
              wide: true,
              cell: ({ id, name, message, place }) => (
                <div class="two-lines">
                  <a class="row-link" href={href(`/errors/${id}`)}>
                    <span class="strong">{name}</span> {message}
                  </a>
                  <span class="muted mono">{place || 'no stack'}</span>
                </div>
              ),
            },
            ...(open
              ? []
              : [
                  {
                    id: 'source',
                    title: 'Source',
                    optional: true,
                    cell: ({ source }: ErrorGroup) => <span class="muted">{source}</span>,
                  },
                  {
                    id: 'minutes',
                    title: '30 minutes',
                    optional: true,
                    cell: ({ per_minute }: ErrorGroup) => <Bars values={per_minute} label={minutesText(per_minute)} />,
                  },
                ]),
            countColumn('count', 'Count'),
            lastSeenColumn(),
          ]}
        />
      </div>
      {open && <ErrorPanel group={open} />}
    </div>
  );
}

function ErrorPanel({ group }: { readonly group: ErrorGroup }) {
  const close = () => navigate('/errors');
  return (
    <aside class="panel" aria-label="Exception" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <header class="panel-header">
        <Badge tone="bad">{group.level}</Badge>
        <h2>{group.name}</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="panel-body">
        <p class="error-message">{group.message}</p>
        <Facts
          items={[
            ['Seen', `${plural(group.count, 'time')}, last ${ago(group.last_seen)}`],
            ['First', clock(group.first_seen)],
            ['Logged by', group.source || 'the application'],
            [
              'Traces',
              group.trace_ids.length === 0
                ? 'none'
                : group.trace_ids.map((id) => (
                    <div key={id}>
                      <a class="mono" href={href(`/requests?trace_id=${id}`)}>
                        {id}
                      </a>
                    </div>
                  )),
            ],
          ]}
        />
        {group.stack && <Code text={group.stack.trim()} label="stack" />}
      </div>
    </aside>
  );
}

function Responses({ groups }: { readonly groups: readonly FailedResponses[] }) {
  return (
    <div class="card card-flush">
      <Table
        caption="Failed responses"
        rows={groups}
        rowKey={({ method, route, status }) => `${status} ${method} ${route}`}
        empty={
          <Empty icon="check" title="No failed response">
            Every request since the start was answered with less than 400.
          </Empty>
        }
        columns={[
          {
            id: 'status',
            title: 'Status',
            sort: ({ status }) => status,
            cell: ({ status }) => <StatusBadge status={status} />,
          },
          { id: 'method', title: 'Method', cell: ({ method }) => <Method name={method} /> },
          {
            id: 'route',
            title: 'Route',
            wide: true,
            sort: ({ route }) => route,
            cell: ({ route, last_request }) => (
              <a class="row-link mono" href={href(`/requests/${last_request}`)}>
                {route || 'no route matched'}
              </a>
            ),
          },
          {
            id: 'minutes',
            title: '30 minutes',
            optional: true,
            cell: ({ per_minute }) => <Bars values={per_minute} label={minutesText(per_minute)} />,
          },
          countColumn('count', 'Count'),
          lastSeenColumn(),
        ]}
      />
    </div>
  );
}

function minutesText(perMinute: readonly number[]): string {
  const total = perMinute.reduce((sum, minute) => sum + minute, 0);
  return `${total} in the last 30 minutes, ${perMinute.at(-1) ?? 0} in this one`;
}
