import { useEffect, useRef } from 'preact/hooks';
import type { LogEntry, RequestDetail } from '../../../wire/api.js';
import { useResource } from '../../api/use-resource.js';
import { boot } from '../../boot.js';
import { Method, StatusBadge } from '../../components/badge.js';
import { Facts } from '../../components/facts.js';
import { bytes, duration, preciseClock } from '../../components/format.js';
import { Icon } from '../../components/icon.js';
import { Loaded } from '../../components/states.js';
import { href, navigate, query } from '../../shell/router.js';
import { LogLines } from '../logs/log-lines.js';
import { RequestTimeline } from './request-timeline.js';

/** One request with everything that is known of it. */
export function RequestPanel({ id }: { readonly id: string }) {
  const resource = useResource<RequestDetail>(`requests/${encodeURIComponent(id)}`);
  const heading = useRef<HTMLHeadingElement>(null);
  const close = () => navigate(`/requests${query.value.size > 0 ? `?${query.value}` : ''}`);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const { data } = resource;
  return (
    <aside class="panel" aria-label="Request" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <header class="panel-header">
        {data && <StatusBadge status={data.status} />}
        <h2 ref={heading} tabIndex={-1} class="mono">
          {data ? (
            <>
              <Method name={data.method} /> {data.path}
            </>
          ) : (
            `Request ${id}`
          )}
        </h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="panel-body">
        <Loaded resource={resource}>{(detail) => <Detail {...detail} />}</Loaded>
      </div>
    </aside>
  );
}

function Detail(detail: RequestDetail) {
  const { time, route, duration_ms, resp_size, ip, user, user_agent, trace_id } = detail;
  return (
    <>
      <Facts
        items={[
          ['Started', preciseClock(time)],
          ['Duration', duration(duration_ms)],
          ['Route', route === '' ? 'none matched' : <code>{route}</code>],
          ['Response', resp_size > 0 ? bytes(resp_size) : 'no length given'],
          ['Client', user ? `${user}, ${ip}` : ip],
          ['User agent', user_agent || '–'],
          ...(trace_id ? [['Trace', <TraceLinks key="trace" id={trace_id} />] as const] : []),
        ]}
      />
      <section>
        <h3>Timeline</h3>
        <RequestTimeline {...detail} />
      </section>
      {trace_id && <TraceLogs id={trace_id} />}
      <Headers title="Request headers" headers={detail.request_headers} />
      <Headers title="Response headers" headers={detail.response_headers} />
    </>
  );
}

function TraceLinks({ id }: { readonly id: string }) {
  return (
    <>
      <code>{id}</code>
      <br />
      <a href={href(`/requests?trace_id=${id}`)}>requests</a> · <a href={href(`/logs?trace_id=${id}`)}>logs</a>
      {boot.fleet && (
        <>
          {' '}
          · <a href={href(`/fleet?trace=${id}`)}>trace</a>
        </>
      )}
    </>
  );
}

function TraceLogs({ id }: { readonly id: string }) {
  const resource = useResource<readonly LogEntry[]>(`logs?level=all&trace_id=${id}&limit=50`);
  return (
    <section>
      <h3>Log lines</h3>
      <Loaded resource={resource} rows={2}>
        {(lines) => (lines.length === 0 ? <p class="muted">None.</p> : <LogLines lines={[...lines].reverse()} />)}
      </Loaded>
    </section>
  );
}

function Headers({ title, headers }: { readonly title: string; readonly headers: Readonly<Record<string, string>> }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <Facts items={entries.map(([name, value]) => [name, <code key={name}>{value}</code>] as const)} />
    </section>
  );
}
