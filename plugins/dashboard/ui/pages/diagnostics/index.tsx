import type { DiagnosticsAnswer, Report } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { Badge, Dot, toneOfState } from '../../components/badge.js';
import { FactGrid } from '../../components/facts.js';
import { FilterBar, SearchField, Segments } from '../../components/filters.js';
import { ago } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { query, setQuery } from '../../shell/router.js';

const REFRESH_MS = 5_000;
/** Order of the states: problems first. */
const ORDER = ['degraded', 'unknown', 'ok', 'off'];

/** Every subsystem with its state and what to do. */
export default function DiagnosticsPage() {
  const resource = useResource<DiagnosticsAnswer>('diagnostics', REFRESH_MS);
  const status = query.value.get('status') ?? '';
  const text = (query.value.get('q') ?? '').toLowerCase();
  const fits = (report: Report) =>
    (status === '' || report.status === status) && `${report.subsystem} ${report.summary}`.toLowerCase().includes(text);
  const { data } = resource;
  return (
    <>
      <PageHeader
        title="Diagnostics"
        subtitle={
          data?.counting_since ? `Counters run since ${ago(data.counting_since)}.` : 'Every subsystem with its state.'
        }
      />
      <FilterBar>
        <SearchField label="Subsystem" value={query.value.get('q') ?? ''} onInput={(q) => setQuery({ q })} />
        {data && (
          <Segments
            label="State"
            value={status}
            onChange={(value) => setQuery({ status: value })}
            options={[
              ['', `All ${data.total}`],
              ['degraded', `Degraded ${data.degraded}`],
              ['ok', `Ok ${data.ok}`],
              ['off', `Off ${data.off}`],
              ...(data.unknown > 0 ? ([['unknown', `Unknown ${data.unknown}`]] as const) : []),
            ]}
          />
        )}
      </FilterBar>
      <Loaded resource={resource} rows={10}>
        {({ subsystems }) => <Reports reports={subsystems.filter(fits)} />}
      </Loaded>
    </>
  );
}

function Reports({ reports }: { readonly reports: readonly Report[] }) {
  if (reports.length === 0)
    return (
      <Empty icon="diagnostics" title="No subsystem fits">
        Remove a filter to see the others.
      </Empty>
    );
  const sorted = [...reports].sort((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
  return (
    <ul class="card probes">
      {sorted.map((report) => (
        <Probe key={report.subsystem} {...report} />
      ))}
    </ul>
  );
}

function Probe({ subsystem, status, summary, notes = [], detail = {} }: Report) {
  return (
    <li class="probe">
      <details open={status === 'degraded' || status === 'unknown'}>
        <summary>
          <Dot tone={toneOfState(status)} />
          <span class="probe-name">{subsystem}</span>
          <span class="probe-summary muted">{summary}</span>
          <Badge tone={toneOfState(status)}>{status}</Badge>
        </summary>
        <div class="probe-body">
          {notes.length > 0 && (
            <section>
              <h2>What to do</h2>
              <ul class="notes">
                {notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </section>
          )}
          {Object.keys(detail).length > 0 ? (
            <FactGrid facts={detail} />
          ) : (
            notes.length === 0 && <p class="muted">{summary}</p>
          )}
        </div>
      </details>
    </li>
  );
}
