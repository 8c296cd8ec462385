import type {
  OverviewAnswer,
  PerformancePoint,
  RequestRecord,
  RouteStatistics,
  TrafficPoint,
} from '../../../wire/api.js';
import { snapshot } from '../../api/live.js';
import { useResource } from '../../api/use-resource.js';
import { boot } from '../../boot.js';
import { Dot, Method, StatusBadge, type Tone } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { Chart } from '../../components/chart.js';
import { ago, bytes, count, duration, percent, plural, span } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Stat, Stats } from '../../components/stat.js';
import { Empty, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';
import { href } from '../../shell/router.js';
import { type History, useHistory } from './use-history.js';

const REFRESH_MS = 5_000;
const HIGH_ERROR_SHARE = 0.05;
const HIGH_LAG_MS = 100;
/** Seconds that count as now. */
const NOW_SECONDS = 10;
/** Seconds of a trend. */
const TREND_SECONDS = 60;

/** What happens right now. */
export default function OverviewPage() {
  const resource = useResource<OverviewAnswer>('overview', REFRESH_MS);
  const history = useHistory(resource.data);
  return (
    <>
      <PageHeader
        title="Overview"
        subtitle={`${boot.app.name} ${boot.app.version}${resource.data ? ` · up ${span(resource.data.uptime_s)}` : ''}`}
      >
        {resource.data && <Health {...resource.data.diagnostics} />}
      </PageHeader>
      <Loaded resource={resource}>
        {(answer) => (
          <div class="stack">
            <Numbers answer={answer} history={history} />
            <Charts {...history} />
            <div class="columns">
              <Busiest routes={answer.busiest} />
              <Failures failures={answer.failures} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function healthIn(ok: number, troubled: number): string {
  if (troubled > 0) {
    return `${troubled} of ${plural(ok + troubled, 'subsystem')} ${troubled === 1 ? 'needs' : 'need'} a look`;
  }
  return ok === 1 ? 'The only subsystem is well' : `All ${plural(ok, 'subsystem')} are well`;
}

function Health({ ok, degraded, unknown }: OverviewAnswer['diagnostics']) {
  const troubled = degraded + unknown;
  return (
    <a class="button" href={href('/diagnostics')}>
      <Dot tone={troubled > 0 ? 'warn' : 'ok'} />
      {healthIn(ok, troubled)}
    </a>
  );
}

function Numbers({ answer, history }: { readonly answer: OverviewAnswer; readonly history: History }) {
  const { traffic, performance } = history;
  const totals = { ...answer.totals, ...snapshot.value?.totals };
  const recent = traffic.slice(-NOW_SECONDS);
  const trend = traffic.slice(-TREND_SECONDS);
  const rate = sum(recent, 'requests') / Math.max(1, recent.length);
  const share = totals.requests > 0 ? totals.errors / totals.requests : 0;
  const now = performance.at(-1);
  return (
    <Stats>
      <Stat
        label="Requests"
        value={count(totals.requests)}
        note={`${count(rate)} per second`}
        trend={trend.map(({ requests }) => requests)}
      />
      <Stat
        label="p95 latency"
        value={duration(totals.p95_ms)}
        note={`p50 ${duration(totals.p50_ms)}`}
        trend={trend.map(({ p95_ms }) => p95_ms)}
      />
      <Stat
        label="Server errors"
        value={percent(share)}
        tone={share > HIGH_ERROR_SHARE ? 'bad' : undefined}
        note={`${count(totals.errors)} with 5xx`}
        trend={trend.map(({ errors }) => errors)}
      />
      <Stat
        label="Client errors"
        value={percent(totals.requests > 0 ? totals.client_errors / totals.requests : 0)}
        note={`${count(totals.client_errors)} with 4xx`}
        trend={trend.map(({ client_errors }) => client_errors)}
      />
      {now && <Process now={now} points={performance.slice(-TREND_SECONDS)} />}
    </Stats>
  );
}

function Process({ now, points }: { readonly now: PerformancePoint; readonly points: readonly PerformancePoint[] }) {
  const tone: Tone | undefined = now.lag_p99_ms > HIGH_LAG_MS ? 'warn' : undefined;
  return (
    <>
      <Stat
        label="Event loop delay"
        value={duration(now.lag_p99_ms)}
        tone={tone}
        note="p99 of a second"
        trend={points.map(({ lag_p99_ms }) => lag_p99_ms)}
      />
      <Stat
        label="Memory"
        value={bytes(now.rss)}
        note={`${bytes(now.heap_used)} heap`}
        trend={points.map(({ heap_used }) => heap_used)}
      />
    </>
  );
}

function Charts({ traffic, performance, times }: History) {
  const processTimes = performance.map(({ time }) => Date.parse(time) / 1000);
  return (
    <div class="columns">
      <Card title="Traffic" hint="requests per second, last 5 minutes">
        <Chart
          label="Requests per second"
          times={times}
          format={count}
          series={[
            { label: 'All', color: 1, values: traffic.map(({ requests }) => requests), area: true },
            { label: '4xx', color: 3, values: traffic.map(({ client_errors }) => client_errors) },
            { label: '5xx', color: 5, values: traffic.map(({ errors }) => errors) },
          ]}
        />
      </Card>
      <Card title="Latency" hint="of the requests of each second">
        <Chart
          label="Latency of requests"
          gaps={false}
          times={times}
          format={duration}
          series={[
            { label: 'p50', color: 1, values: traffic.map(({ p50_ms }) => p50_ms) },
            { label: 'p95', color: 2, values: traffic.map(({ p95_ms }) => p95_ms) },
            { label: 'p99', color: 4, values: traffic.map(({ p99_ms }) => p99_ms) },
          ]}
        />
      </Card>
      <Card title="Event loop" hint="delay of timers, p99 of each second">
        <Chart
          label="Event loop delay"
          times={processTimes}
          format={duration}
          height={120}
          series={[{ label: 'p99', color: 3, values: performance.map(({ lag_p99_ms }) => lag_p99_ms), area: true }]}
        />
      </Card>
      <Card title="Memory" hint="of this process">
        <Chart
          label="Memory"
          binary
          times={processTimes}
          format={bytes}
          height={120}
          series={[
            { label: 'Resident', color: 2, values: performance.map(({ rss }) => rss) },
            { label: 'Heap', color: 1, values: performance.map(({ heap_used }) => heap_used), area: true },
          ]}
        />
      </Card>
    </div>
  );
}

function Busiest({ routes }: { readonly routes: readonly RouteStatistics[] }) {
  return (
    <Card title="Busiest routes" hint="by time spent in them" flush actions={<a href={href('/routes')}>All routes</a>}>
      <Table
        caption="Busiest routes"
        rows={routes}
        rowKey={({ method, pattern }) => `${method} ${pattern}`}
        empty={
          <Empty icon="routes" title="No request so far">
            The routes with the most time spent in them stand here.
          </Empty>
        }
        columns={[
          { id: 'method', title: 'Method', cell: ({ method }) => <Method name={method} /> },
          {
            id: 'route',
            title: 'Route',
            wide: true,
            cell: ({ pattern, method }) => (
              <a class="row-link mono" href={href(`/requests?route=${encodeURIComponent(pattern)}&method=${method}`)}>
                {pattern}
              </a>
            ),
          },
          { id: 'requests', title: 'Requests', align: 'right', cell: ({ requests }) => count(requests) },
          { id: 'p95', title: 'p95', align: 'right', cell: ({ p95_latency_ms }) => duration(p95_latency_ms) },
          {
            id: 'errors',
            title: '5xx',
            align: 'right',
            cell: ({ errors }) =>
              errors > 0 ? <span class="bad">{count(errors)}</span> : <span class="muted">0</span>,
          },
        ]}
      />
    </Card>
  );
}

function Failures({ failures }: { readonly failures: readonly RequestRecord[] }) {
  return (
    <Card title="Latest failures" hint="answers with 5xx" flush actions={<a href={href('/errors')}>All errors</a>}>
      <Table
        caption="Latest failures"
        rows={failures}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="check" title="No failure">
            No request has ended with a 5xx since the start.
          </Empty>
        }
        columns={[
          { id: 'status', title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
          { id: 'method', title: 'Method', cell: ({ method }) => <Method name={method} /> },
          {
            id: 'path',
            title: 'Path',
            wide: true,
            cell: ({ id, path }) => (
              <a class="row-link mono" href={href(`/requests/${id}`)}>
                {path}
              </a>
            ),
          },
          { id: 'duration', title: 'Duration', align: 'right', cell: ({ duration_ms }) => duration(duration_ms) },
          { id: 'when', title: 'When', align: 'right', cell: ({ time }) => <span class="muted">{ago(time)}</span> },
        ]}
      />
    </Card>
  );
}

function sum(points: readonly TrafficPoint[], name: 'requests' | 'errors' | 'client_errors'): number {
  return points.reduce((total, point) => total + point[name], 0);
}
