import type { PerformanceAnswer, PerformanceMetrics } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Card } from '../../components/card.js';
import { Chart } from '../../components/chart.js';
import { Facts } from '../../components/facts.js';
import { bytes, count, duration, percent, plural } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Stat, Stats } from '../../components/stat.js';
import { Loaded } from '../../components/states.js';
import { useHistory } from '../overview/use-history.js';

const REFRESH_MS = 5_000;
const HIGH_SHARE = 0.9;

/** What the process costs. */
export default function PerformancePage() {
  const resource = useResource<PerformanceAnswer>('performance', REFRESH_MS);
  const { performance } = useHistory(resource.data && { traffic: [], performance: resource.data.history });
  const times = performance.map(({ time }) => Date.parse(time) / 1000);
  const values = (name: Exclude<keyof (typeof performance)[number], 'time'>) => performance.map((point) => point[name]);
  return (
    <>
      <PageHeader title="Performance" subtitle="This process, second by second, over the last 5 minutes." />
      <Loaded resource={resource}>
        {({ current }) => (
          <div class="stack">
            <Numbers {...current} />
            <div class="columns">
              <Card title="Event loop" hint="delay of timers, p99 of each second">
                <Chart
                  label="Event loop delay"
                  times={times}
                  format={duration}
                  series={[{ label: 'p99', color: 3, values: values('lag_p99_ms'), area: true }]}
                />
              </Card>
              <Card title="Processor" hint="of one core">
                <Chart
                  label="Processor time"
                  times={times}
                  format={(value) => percent(value / 100)}
                  series={[{ label: 'Used', color: 2, values: values('cpu_usage_pct'), area: true }]}
                />
              </Card>
              <Card title="Memory">
                <Chart
                  label="Memory"
                  binary
                  times={times}
                  format={bytes}
                  series={[
                    { label: 'Resident', color: 2, values: values('rss') },
                    { label: 'Heap', color: 1, values: values('heap_used'), area: true },
                  ]}
                />
              </Card>
              <Card title="Garbage collection" hint="runs per second">
                <Chart
                  label="Garbage collections"
                  times={times}
                  format={count}
                  series={[{ label: 'Runs', color: 4, values: steps(values('gc_count')), area: true }]}
                />
              </Card>
            </div>
            <Card title="Right now">
              <Facts items={factsOf(current)} />
            </Card>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Numbers({ event_loop, heap, rss, gc, cpu, active_resources }: PerformanceMetrics) {
  const heapShare = heap.used / heap.limit;
  return (
    <Stats>
      <Stat
        label="Event loop in use"
        value={percent(event_loop.utilization)}
        tone={event_loop.utilization > HIGH_SHARE ? 'warn' : undefined}
        note={`p50 delay ${duration(event_loop.lag_p50_ms)}`}
      />
      <Stat label="Event loop delay" value={duration(event_loop.lag_p99_ms)} note="p99 of a second" />
      <Stat label="Processor" value={percent(cpu.usage_pct / 100)} note={`of one of ${plural(cpu.num_cpu, 'core')}`} />
      <Stat
        label="Heap"
        value={bytes(heap.used)}
        tone={heapShare > HIGH_SHARE ? 'bad' : undefined}
        note={`${percent(heapShare)} of its limit`}
      />
      <Stat label="Resident memory" value={bytes(rss)} note={plural(active_resources, 'active resource')} />
      <Stat label="Garbage collection" value={percent(gc.cpu_fraction)} note={plural(gc.count, 'run')} />
    </Stats>
  );
}

function factsOf({ heap, external, gc, runtime_tuning, event_loop, active_resources }: PerformanceMetrics) {
  return [
    ['Heap in use', `${bytes(heap.used)} of ${bytes(heap.total)} allocated`],
    ['Heap limit', `${bytes(heap.limit)}; node --max-old-space-size=${runtime_tuning.max_old_space_mb} sets it`],
    ['Memory outside the heap', bytes(external)],
    ['Garbage collection pauses', `${duration(gc.pause_total_ms)} since the start`],
    ['Event loop delay', `p50 ${duration(event_loop.lag_p50_ms)}, p99 ${duration(event_loop.lag_p99_ms)}`],
    ['Handles and requests', `${count(active_resources)} keep the process alive`],
  ] as const;
}

// Differences between successive values of a counter that only grows.
function steps(counter: readonly number[]): (number | null)[] {
  return counter.map((value, index) => (index === 0 ? null : Math.max(0, value - (counter[index - 1] ?? value))));
}
