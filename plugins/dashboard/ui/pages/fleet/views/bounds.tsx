import { useRef, useState } from 'preact/hooks';
import type { AggregatorStats, ContractStats } from '../../../../wire/fleet.js';
import { ApiError } from '../../../api/client.js';
import { boot } from '../../../boot.js';
import { Card } from '../../../components/card.js';
import { Facts } from '../../../components/facts.js';
import { bytes, count, percent, plural } from '../../../components/format.js';
import { Loading } from '../../../components/states.js';
import { useFleet } from '../state/context.js';

/** What the aggregator keeps, up to which bounds, and what it had to let go. */
export function BoundsView() {
  const { store } = useFleet();
  const stats = store.stats.value;
  return (
    <div class="columns">
      <div class="stack">
        <Card title="Kept" hint="Everything is in memory and bounded: the oldest goes first.">
          {stats ? <Meters stats={stats} /> : <Loading />}
        </Card>
        <Card title="Files" hint="Spans as JSON, to look at elsewhere or later.">
          <Files />
        </Card>
      </div>
      <Card title="Let go">{stats ? <Facts items={lossesOf(stats)} /> : <Loading />}</Card>
    </div>
  );
}

function Meters({ stats }: { readonly stats: AggregatorStats }) {
  const { contracts } = stats;
  const rows: readonly (readonly [string, number, number, string])[] = [
    ['Traces', stats.traces, stats.max_traces, `${count(stats.traces)} of ${count(stats.max_traces)}`],
    ['Spans', stats.spans, stats.max_spans, `${count(stats.spans)} of ${count(stats.max_spans)}, ${count(stats.max_spans_per_trace)} of one trace`],
    ['Bodies', stats.payload_bytes, stats.max_payload_bytes, `${bytes(stats.payload_bytes)} of ${bytes(stats.max_payload_bytes)}`],
    ['Tag index', stats.tag_entries, stats.max_tags, `${count(stats.tag_entries)} of ${count(stats.max_tags)}`],
    ['Services', stats.services, stats.max_services, `${count(stats.services)} of ${count(stats.max_services)}`],
    ['Calls', stats.edges, stats.max_edges, `${count(stats.edges)} of ${count(stats.max_edges)}`],
    ...(contracts.off ? [] : [violationMeter(contracts)]),
  ]; // prettier-ignore
  return (
    <dl class="meters">
      {rows.map(([name, value, max, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <meter aria-label={name} min={0} max={max} high={max * 0.9} value={value} />
            <span>{text}</span>
            <span class="muted">{percent(max > 0 ? value / max : 0)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function violationMeter({ violations, max_violations: max }: ContractStats): readonly [string, number, number, string] {
  return ['Violations', violations, max, `${count(violations)} of ${count(max)}`];
}

function lossesOf(stats: AggregatorStats): readonly (readonly [string, string])[] {
  return [
    ['Traces evicted for newer ones', count(stats.traces_evicted)],
    ['Traces expired', count(stats.traces_expired)],
    ['Spans dropped from long traces', count(stats.spans_dropped)],
    ['Spans rejected as malformed', count(stats.spans_rejected)],
    ['Spans that came twice', count(stats.spans_duplicate)],
    ['Bodies left out', count(stats.payloads_dropped)],
    ['Tags found by a scan', count(stats.tags_unindexed)],
    [
      'Services, instances, calls and addresses evicted',
      count(
        stats.services_evicted +
          stats.instances_evicted +
          stats.nodes_evicted +
          stats.edges_evicted +
          stats.addresses_evicted,
      ),
    ],
    ['Incidents and silences dropped', count(stats.incidents_dropped + stats.silences_dropped)],
    ['Spans without a contract check', count(stats.contracts.unchecked ?? 0)],
    ['Contract checks given up', count(stats.contracts.checks_exceeded ?? 0)],
    ['Violations dropped', count(stats.contracts.violations_dropped ?? 0)],
    ['Spans accepted', count(stats.spans_accepted)],
    ['Batches accepted', count(stats.batches_accepted)],
    ['Heartbeats', count(stats.heartbeats)],
  ];
}

function Files() {
  const { store } = useFleet();
  const input = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState<{ readonly text: string; readonly bad?: boolean }>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    setSaid({ text: `Importing ${file.name} …` });
    setSaid(await imported(file, (content) => store.importFile(content)));
    if (input.current) input.current.value = '';
  };
  return (
    <div class="files">
      <a class="button" href={`${boot.basePath}/api/fleet/export`} download="fleet-window.json">
        Export everything
      </a>
      <label class="button">
        Import a file
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      <p role="status" class={said?.bad ? 'is-bad' : 'muted'}>
        {said?.text}
      </p>
    </div>
  );
}

async function imported(
  file: File,
  send: (content: unknown) => Promise<number>,
): Promise<{ readonly text: string; readonly bad?: boolean }> {
  let content: unknown;
  try {
    content = JSON.parse(await file.text());
  } catch {
    return { bad: true, text: `${file.name} is no JSON.` };
  }
  try {
    return { text: `${plural(await send(content), 'span')} imported.` };
  } catch (error) {
    if (error instanceof ApiError) return { bad: true, text: error.message };
    throw error;
  }
}
