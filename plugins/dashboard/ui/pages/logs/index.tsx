import { useEffect, useState } from 'preact/hooks';
import type { LogEntry, LogLevel } from '../../../wire/api.js';
import { reconnections, useLive } from '../../api/live.js';
import { useResource } from '../../api/use-resource.js';
import { FilterBar, SearchField, Segments, Toggle } from '../../components/filters.js';
import { plural } from '../../components/format.js';
import { PageHeader } from '../../components/page-header.js';
import { Empty, Loaded } from '../../components/states.js';
import { query, setQuery } from '../../shell/router.js';
import { LogLines } from './log-lines.js';

const LIMIT = 500;
const LEVELS: readonly (readonly [LogLevel | '', string])[] = [
  ['', 'All'],
  ['app', 'App'],
  ['http', 'HTTP'],
  ['warning', 'Warnings'],
  ['error', 'Errors'],
  ['panic', 'Panics'],
];

/** Log lines, newest first, as they are written. */
export default function LogsPage() {
  const [following, setFollowing] = useState(true);
  const level = (query.value.get('level') ?? '') as LogLevel | '';
  const text = query.value.get('q') ?? '';
  const traceId = query.value.get('trace_id') ?? '';
  const search = new URLSearchParams({ level: level || 'all', limit: String(LIMIT) });
  if (text) search.set('q', text);
  if (traceId) search.set('trace_id', traceId);
  const resource = useResource<readonly LogEntry[]>(`logs?${search}`);
  useEffect(() => {
    if (reconnections.value > 0) resource.reload();
  }, [reconnections.value]);
  useLive('log', (line) => {
    const fits =
      (level === '' || line.level === level) &&
      (traceId === '' || line.trace_id === traceId) &&
      line.message.toLowerCase().includes(text.toLowerCase());
    if (following && fits) resource.update((lines) => [line, ...lines].slice(0, LIMIT));
  });
  return (
    <>
      <PageHeader title="Logs" subtitle="What looks like a secret is masked before it is kept.">
        <Toggle label="Follow live" on={following} onChange={setFollowing} />
      </PageHeader>
      <FilterBar>
        <SearchField label="Text in the message" value={text} onInput={(q) => setQuery({ q })} />
        <Segments label="Level" value={level} options={LEVELS} onChange={(value) => setQuery({ level: value })} />
        {traceId !== '' && (
          <button type="button" class="button button-small" onClick={() => setQuery({ trace_id: '' })}>
            Trace {traceId.slice(0, 12)}… ×<span class="visually-hidden"> remove the filter</span>
          </button>
        )}
      </FilterBar>
      <Loaded resource={resource} rows={14}>
        {(lines) => (
          <div class="card card-flush">
            {lines.length === 0 ? (
              <Empty icon="logs" title="No line fits">
                {text || level || traceId
                  ? 'Remove a filter, or wait for a line that fits.'
                  : 'The application has not logged anything yet.'}
              </Empty>
            ) : (
              <>
                <LogLines lines={lines} />
                {lines.length === LIMIT && (
                  <p class="list-end muted">The newest {plural(LIMIT, 'line')}; narrow the filters for older ones.</p>
                )}
              </>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}
