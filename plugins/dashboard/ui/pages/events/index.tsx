import type { EventRecord, EventsAnswer } from '../../../wire/api.js';
import { useLive } from '../../api/live.js';
import { useResource } from '../../api/use-resource.js';
import { withNewest } from '../../api/with-newest.js';
import { Badge } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { countColumn, durationColumn, lastSeenColumn, nameColumn, problemColumn, timeColumn } from '../../components/columns.js'; // prettier-ignore
import { FactGrid } from '../../components/facts.js';
import { count, duration, plural } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Stat, Stats } from '../../components/stat.js';
import { Empty, Loaded } from '../../components/states.js';
import { Table } from '../../components/table.js';

const REFRESH_MS = 5_000;
const LIMIT = 200;

/** What the event bus dispatched. */
export default function EventsPage() {
  const resource = useResource<EventsAnswer>(`events?limit=${LIMIT}`, REFRESH_MS);
  useLive('event', (record) =>
    resource.update((answer) => ({ ...answer, recent: withNewest(answer.recent, record, LIMIT) })),
  );
  return (
    <>
      <PageHeader title="Events" subtitle="Dispatches of the event bus. Payloads are left alone." />
      <Loaded resource={resource}>{(answer) => <Answer {...answer} />}</Loaded>
    </>
  );
}

function Answer({ metrics, names, recent, backend }: EventsAnswer) {
  const of = (name: string) => metrics[name] ?? 0;
  const failures = of('failures');
  return (
    <div class="stack">
      <Stats>
        <Stat label="Dispatches" value={count(of('dispatches'))} note={`${plural(of('calls'), 'call')} of listeners`} />
        <Stat label="Listeners" value={count(of('listeners'))} note={`of ${plural(of('events'), 'event')}`} />
        <Stat
          label="Failed calls"
          value={count(failures)}
          tone={failures > 0 ? 'bad' : undefined}
          note={`${count(of('observerFailures'))} of observers`}
        />
        <Stat
          label="Dropped"
          value={count(of('dropped'))}
          tone={of('dropped') > 0 ? 'warn' : undefined}
          note={`${count(of('waiting'))} waiting, ${count(of('running'))} running`}
        />
        <Stat
          label="Longest dispatch"
          value={duration(of('maxMs'))}
          note={`${duration(of('dispatches') > 0 ? of('totalMs') / of('dispatches') : 0)} on average`}
        />
        <Stat label="Unheard" value={count(of('unheard'))} note="nobody listened" />
      </Stats>
      <div class="columns">
        <Names names={names} />
        <Recent records={recent} />
      </div>
      {backend && (
        <Card title="Backend" hint={backend.name}>
          <FactGrid facts={backend.stats} />
        </Card>
      )}
    </div>
  );
}

function Names({ names }: Pick<EventsAnswer, 'names'>) {
  return (
    <Card title="By event" flush>
      <Table
        caption="Events"
        rows={names}
        rowKey={({ name }) => name}
        empty={
          <Empty icon="events" title="No event was dispatched">
            Plugins emit with <code>EventBus.emit</code>; events that nobody listens to are only counted.
          </Empty>
        }
        columns={[
          nameColumn('name', 'Event'),
          countColumn('count', 'Dispatches'),
          durationColumn('avg_ms', 'Average'),
          problemColumn('failed', 'Failed'),
          lastSeenColumn({ optional: true }),
        ]}
      />
    </Card>
  );
}

function Recent({ records }: { readonly records: readonly EventRecord[] }) {
  return (
    <Card title="Latest dispatches" flush>
      <Table
        caption="Latest dispatches"
        rows={records.map((record, index) => ({ ...record, index }))}
        rowKey={({ time, name, index }) => `${time} ${name} ${records.length - index}`}
        empty={
          <Empty icon="events" title="Nothing yet">
            Dispatches appear here as they end.
          </Empty>
        }
        columns={[
          timeColumn(),
          { id: 'name', title: 'Event', wide: true, cell: ({ name }) => <span class="mono">{name}</span> },
          { id: 'listeners', title: 'Listeners', align: 'right', cell: ({ listeners }) => count(listeners) },
          { id: 'duration', title: 'Duration', align: 'right', cell: ({ duration_ms }) => duration(duration_ms) },
          {
            id: 'result',
            title: 'Result',
            cell: ({ failed, stopped, async, errors }) => (
              <span title={errors.join('\n')}>
                {failed ? <Badge tone="bad">failed</Badge> : <span class="muted">ok</span>}{' '}
                {stopped && <Badge>stopped</Badge>} {async && <Badge>async</Badge>}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}
