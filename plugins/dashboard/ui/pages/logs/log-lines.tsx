import type { LogEntry, LogLevel } from '../../../wire/api.js';
import { Badge, Method, StatusBadge, type Tone } from '../../components/badge.js';
import { preciseClock } from '../../components/format.js';
import { boot } from '../../boot.js';
import { href } from '../../shell/router.js';

const TONES: Readonly<Record<LogLevel, Tone>> = {
  app: 'info',
  http: 'quiet',
  warning: 'warn',
  error: 'bad',
  panic: 'bad',
};

/** Log lines; what has several lines can be opened. */
export function LogLines({ lines }: { readonly lines: readonly LogEntry[] }) {
  return (
    <ol class="record-lines">
      {lines.map((line, index) => (
        <li key={`${line.time}${index}`} class={`record-line record-${line.level}`}>
          <time class="muted" dateTime={line.time}>
            {preciseClock(line.time)}
          </time>
          <Badge tone={TONES[line.level]}>{line.level}</Badge>
          {line.level === 'http' ? <RequestLine text={line.message} /> : <Message text={line.message} />}
          <span class="record-source muted">
            {line.source}
            {line.trace_id && (
              <a class="record-trace" href={traceAddress(line.trace_id)}>
                {line.trace_id.slice(0, 8)}
                <span class="visually-hidden"> {boot.fleet ? 'the trace' : 'requests of this trace'}</span>
              </a>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

// With a fleet the whole trace is a link away; without one, what this application answered in it.
function traceAddress(id: string): string {
  return boot.fleet ? href(`/fleet?trace=${id}`) : href(`/requests?trace_id=${id}`);
}

// What the logging middleware writes of a request: `GET /path 200 1.2ms`.
function RequestLine({ text }: { readonly text: string }) {
  const [, method, path, status, time] = /^([A-Z]+) (\S+) (\d{3}) (\S+ms)$/.exec(text) ?? [];
  if (method === undefined) return <Message text={text} />;
  return (
    <span class="record-message mono">
      <Method name={method} /> {path} <StatusBadge status={Number(status)} /> <span class="muted">{time}</span>
    </span>
  );
}

function Message({ text }: { readonly text: string }) {
  const [first = '', ...rest] = text.trim().split('\n');
  if (rest.length === 0) return <span class="record-message mono">{first}</span>;
  return (
    <details class="record-message mono">
      <summary>{first || rest[0]}</summary>
      <pre>{rest.join('\n')}</pre>
    </details>
  );
}
