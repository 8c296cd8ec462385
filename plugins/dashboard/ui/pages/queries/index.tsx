import type { CacheState, QueriesAnswer, QueryRecord, StatementStatistics } from '../../../wire/api.js';
import { useLive } from '../../api/live.js';
import { useResource } from '../../api/use-resource.js';
import { withNewest } from '../../api/with-newest.js';
import { Badge } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { countColumn, durationColumn, lastSeenColumn, problemColumn, timeColumn } from '../../components/columns.js';
import { FactGrid } from '../../components/facts.js';
import { FilterBar, SearchField } from '../../components/filters.js';
import { count, duration, percent } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Stat, Stats } from '../../components/stat.js';
import { Empty, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { Tabs } from '../../components/tabs.js';
import { href, query, setQuery } from '../../shell/router.js';

const REFRESH_MS = 5_000;
const LIMIT = 300;
type View = 'statements' | 'recent' | 'slow' | 'caches';
const VIEWS: readonly View[] = ['statements', 'recent', 'slow', 'caches'];

/** What the database is asked, how long that takes, and how well plans are found again. */
export default function QueriesPage() {
  const resource = useResource<QueriesAnswer>(`queries?limit=${LIMIT}`, REFRESH_MS);
  useLive('query', (record) =>
    resource.update((answer) => ({ ...answer, recent: withNewest(answer.recent, record, LIMIT) })),
  );
  return (
    <>
      <PageHeader title="Queries" subtitle="Statements with placeholders; values are never kept." />
      <Loaded resource={resource}>{(answer) => <Answer {...answer} />}</Loaded>
    </>
  );
}

function Answer(answer: QueriesAnswer) {
  const { attached, dialect, totals, slow_ms, caches, detail, statements, recent } = answer;
  const wanted = query.value.get('view') as View | null;
  const view = wanted !== null && VIEWS.includes(wanted) ? wanted : 'statements';
  const text = (query.value.get('q') ?? '').toLowerCase();
  const fits = ({ sql, model = '' }: { readonly sql: string; readonly model?: string }) =>
    `${sql} ${model}`.toLowerCase().includes(text);
  if (!attached && totals.statements === 0) {
    return (
      <Empty icon="queries" title="No database">
        Add <code>plugin(() =&gt; import('fw/orm'))</code> to app.config.ts to see its statements here.
      </Empty>
    );
  }
  return (
    <div class="stack">
      <Stats>
        <Stat label="Statements" value={count(totals.statements)} note={dialect ?? 'database'} />
        <Stat
          label="Slow"
          value={count(totals.slow)}
          tone={totals.slow > 0 ? 'warn' : undefined}
          note={`${duration(slow_ms)} or longer`}
        />
        <Stat
          label="Failed"
          value={count(totals.errors)}
          tone={totals.errors > 0 ? 'bad' : undefined}
          note="since the start"
        />
        {caches
          .filter(({ hits }) => hits !== undefined)
          .map((cache) => (
            <Stat
              key={cache.name}
              label={cache.name}
              value={percent(hitRate(cache))}
              note={`found again; ${count(cache.size)} kept`}
            />
          ))}
      </Stats>
      <div>
        <Tabs
          label="Views"
          current={view}
          onChange={(id) => setQuery({ view: id === 'statements' ? '' : id })}
          tabs={[
            ['statements', `By statement ${statements.length}`],
            ['recent', 'Latest'],
            ['slow', `Slow ${recent.filter(({ slow }) => slow).length}`],
            ['caches', 'Plan caches'],
          ]}
        >
          {view !== 'caches' && (
            <FilterBar>
              <SearchField label="SQL or model" value={query.value.get('q') ?? ''} onInput={(q) => setQuery({ q })} />
            </FilterBar>
          )}
          {view === 'statements' && <Statements rows={statements.filter(fits)} />}
          {view === 'recent' && <Recent rows={recent.filter(fits)} slowMs={slow_ms} />}
          {view === 'slow' && (
            <Recent rows={recent.filter((record) => record.slow && fits(record))} slowMs={slow_ms} slowOnly />
          )}
          {view === 'caches' && <Caches caches={caches} detail={detail} />}
        </Tabs>
      </div>
    </div>
  );
}

function Statements({ rows }: { readonly rows: readonly StatementStatistics[] }) {
  const longest = Math.max(1e-9, ...rows.map(({ total_ms }) => total_ms));
  return (
    <div class="card card-flush">
      <Table
        caption="Statements"
        rows={rows}
        rowKey={({ sql }) => sql}
        order={{ column: 'total', down: true }}
        empty={
          <Empty icon="queries" title="No statement fits">
            Statements appear here once they have run.
          </Empty>
        }
        columns={[
          { id: 'sql', title: 'Statement', wide: true, cell: ({ sql }) => <Sql text={sql} /> },
          {
            id: 'model',
            title: 'Model',
            optional: true,
            sort: ({ model = '' }) => model,
            cell: ({ model }) => <span class="muted">{model ?? '–'}</span>,
          },
          countColumn('count', 'Runs'),
          durationColumn('avg_ms', 'Average'),
          durationColumn('p95_ms', 'p95', { optional: true }),
          {
            id: 'total',
            title: 'In all',
            align: 'right',
            sort: ({ total_ms }) => total_ms,
            cell: ({ total_ms }) => (
              <>
                {duration(total_ms)}
                <Meter share={total_ms / longest} />
              </>
            ),
          },
          problemColumn('errors', 'Failed'),
          lastSeenColumn({ optional: true }),
        ]}
      />
    </div>
  );
}

function Recent({
  rows,
  slowMs,
  slowOnly = false,
}: {
  readonly rows: readonly QueryRecord[];
  readonly slowMs: number;
  readonly slowOnly?: boolean;
}) {
  const empty = slowOnly ? (
    <Empty icon="check" title="No slow statement">
      None of the latest took {duration(slowMs)} or longer. The option <code>slowQuery</code> of the dashboard sets the
      limit.
    </Empty>
  ) : (
    <Empty icon="queries" title="No statement fits">
      Statements appear here as they run.
    </Empty>
  );
  return (
    <div class="card card-flush">
      <Table
        caption={slowOnly ? 'Slow statements' : 'Latest statements'}
        rows={rows}
        rowKey={({ id }) => id}
        empty={empty}
        columns={[
          timeColumn(),
          { id: 'sql', title: 'Statement', wide: true, cell: ({ sql }) => <Sql text={sql} /> },
          {
            id: 'model',
            title: 'Model',
            optional: true,
            cell: ({ model }) => <span class="muted">{model ?? '–'}</span>,
          },
          {
            id: 'duration',
            title: 'Duration',
            align: 'right',
            sort: ({ duration_ms }) => duration_ms,
            cell: ({ duration_ms, slow }) => (
              <>
                {slow && <Badge tone="warn">slow</Badge>} {duration(duration_ms)}
              </>
            ),
          },
          {
            id: 'result',
            title: 'Result',
            cell: ({ error }) => (error ? <Badge tone="bad">{error}</Badge> : <span class="muted">ok</span>),
          },
          {
            id: 'trace',
            title: 'Request',
            optional: true,
            cell: ({ trace_id }) =>
              trace_id ? (
                <a class="mono" href={href(`/requests?trace_id=${trace_id}`)}>
                  {trace_id.slice(0, 8)}
                </a>
              ) : (
                <span class="muted">–</span>
              ),
          },
        ]}
      />
    </div>
  );
}

function Caches({
  caches,
  detail,
}: {
  readonly caches: readonly CacheState[];
  readonly detail: Readonly<Record<string, unknown>>;
}) {
  return (
    <div class="columns">
      <Card title="Plan caches" hint="equal shapes share a plan" flush>
        <Table
          caption="Plan caches"
          rows={caches}
          rowKey={({ name }) => name}
          empty={
            <Empty icon="queries" title="No cache">
              The database plugin tells nothing about its caches.
            </Empty>
          }
          columns={[
            { id: 'name', title: 'Cache', wide: true, cell: ({ name }) => name },
            {
              id: 'size',
              title: 'Kept',
              align: 'right',
              cell: ({ size, capacity }) => (
                <>
                  {count(size)}
                  {capacity !== undefined && <span class="muted"> of {count(capacity)}</span>}
                  {capacity !== undefined && <Meter share={size / capacity} />}
                </>
              ),
            },
            { id: 'hits', title: 'Found', align: 'right', cell: ({ hits }) => number(hits) },
            { id: 'misses', title: 'Compiled', align: 'right', cell: ({ misses }) => number(misses) },
            { id: 'evictions', title: 'Evicted', align: 'right', cell: ({ evictions }) => number(evictions) },
            {
              id: 'rate',
              title: 'Hit rate',
              align: 'right',
              cell: (cache) => (cache.hits === undefined ? <span class="muted">–</span> : percent(hitRate(cache))),
            },
          ]}
        />
      </Card>
      <Card title="Database">
        <FactGrid facts={detail} />
      </Card>
    </div>
  );
}

function Sql({ text }: { readonly text: string }) {
  return (
    <details class="sql mono">
      <summary title={text}>{text}</summary>
      <pre>{text}</pre>
    </details>
  );
}

function Meter({ share }: { readonly share: number }) {
  return (
    <svg class="meter" aria-hidden="true">
      <rect width={`${Math.max(2, Math.min(100, share * 100))}%`} height="6" />
    </svg>
  );
}

function number(value: number | undefined) {
  return value === undefined ? <span class="muted">–</span> : count(value);
}

function hitRate({ hits = 0, misses = 0 }: CacheState): number {
  return hits + misses > 0 ? hits / (hits + misses) : 0;
}
