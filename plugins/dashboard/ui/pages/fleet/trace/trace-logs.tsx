import { useEffect, useState } from 'preact/hooks';
import type { TraceLog, TraceLogs } from '../../../../wire/fleet.js';
import { ApiError } from '../../../api/client.js';
import { Badge, type Tone } from '../../../components/badge.js';
import { plural, preciseClock } from '../../../components/format.js';
import { Empty, ErrorState, Loading } from '../../../components/states.js';
import { epochMs } from '../model/nanoseconds.js';
import type { TraceView } from '../model/spans.js';
import { selectSpan, showPanel } from '../state/address.js';
import { useFleet } from '../state/context.js';

/** What every service of the trace has logged in it, in one list. */
export function TraceLogsPanel({ view }: { readonly view: TraceView }) {
  const { store } = useFleet();
  const id = view.trace.trace_id;
  const [state, setState] = useState<{ readonly logs?: TraceLogs; readonly error?: ApiError }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    store.get<TraceLogs>(`traces/${id}/logs`, abort.signal).then(
      (logs) => setState({ logs }),
      (error: unknown) => {
        if (!abort.signal.aborted && error instanceof ApiError) setState({ error });
      },
    );
    return () => abort.abort();
  }, [id, round]);
  if (state.error) return <ErrorState error={state.error} retry={() => setRound(round + 1)} />;
  if (!state.logs) return <Loading />;
  const { logs, sources, disabled, truncated } = state.logs;
  return (
    <div class="trace-logs">
      {disabled === undefined && <Sources sources={sources} />}
      {logs.length === 0 ? (
        <Empty icon="logs" title="No log lines in this trace">
          {disabled ?? 'Its services logged nothing while they answered, or have forgotten it.'}
        </Empty>
      ) : (
        <ol class="log-lines" aria-label="Log lines, oldest first">
          {logs.map((line, at) => (
            <LogLine key={at} line={line} view={view} />
          ))}
        </ol>
      )}
      {truncated && <p class="muted">Some services had more lines than are shown.</p>}
    </div>
  );
}

function Sources({ sources }: Pick<TraceLogs, 'sources'>) {
  return (
    <ul class="log-sources" aria-label="Where the lines come from">
      {sources.map(({ service, available, error, count }) => (
        <li key={service} title={error}>
          <Badge tone={!available ? 'warn' : count > 0 ? 'ok' : 'quiet'}>
            {available ? plural(count, 'line') : 'not available'}
          </Badge>{' '}
          {service}
          {error !== undefined && <span class="muted"> {error}</span>}
        </li>
      ))}
    </ul>
  );
}

function LogLine({ line, view }: { readonly line: TraceLog; readonly view: TraceView }) {
  const span = spanOf(line, view);
  const show = () => {
    if (span === undefined) return;
    showPanel('waterfall');
    selectSpan(span);
  };
  return (
    <li class="log-line">
      <time dateTime={line.time}>{preciseClock(line.time)}</time>
      <Badge tone={TONES[line.level] ?? 'quiet'}>{line.level}</Badge>
      <button type="button" class="link" disabled={span === undefined} title="Show its span" onClick={show}>
        {line.service}
      </button>
      <span class="log-message">{line.message}</span>
    </li>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  error: 'bad',
  panic: 'bad',
  fatal: 'bad',
  warning: 'warn',
  warn: 'warn',
  info: 'info',
};

/** The span in which a line was written: the innermost one of its service that ran at the time, else its first one. */
function spanOf({ service, time }: TraceLog, { spans, trace }: TraceView): string | undefined {
  const at = Date.parse(time) - epochMs(trace.start_ns);
  const own = spans.filter(({ node }) => node.service === service && (node.kind ?? 'server') === 'server');
  const running = own.filter(({ start, end }) => start - 1 <= at && at <= end + 1);
  return (running.at(-1) ?? own[0])?.id;
}
