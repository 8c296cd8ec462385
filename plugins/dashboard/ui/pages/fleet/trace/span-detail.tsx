import type { ComponentChildren } from 'preact';
import { StatusBadge } from '../../../components/badge.js';
import { CopyButton, Facts } from '../../../components/facts.js';
import { duration } from '../../../components/format.js';
import { hasFailed, type SpanView, type TraceView } from '../model/spans.js';
import { selectSpan, setFilter } from '../state/address.js';
import { Marks } from './waterfall.js';

const MAX_EVENTS = 100;

/** Everything that is known of one span. */
export function SpanDetail({ view, span }: { readonly view: TraceView; readonly span: SpanView }) {
  const { node } = span;
  const parent = view.byId.get(span.parentId ?? '');
  return (
    <aside class="span-detail" aria-label="Selected span" tabIndex={0}>
      <h3>
        {node.service || 'unnamed service'} <Marks row={span} />
      </h3>
      {node.reason !== undefined && (
        <p class={`reason reason-${span.mark}`}>
          <strong>{span.mark === 'cause' ? 'Why this one: ' : 'Why not this one: '}</strong>
          {node.reason}
        </p>
      )}
      <Facts items={factsOf(span, parent)} />
      <Tags tags={node.tags} />
      <Names title="Header names" names={node.header_names} />
      <Events events={node.timeline} />
    </aside>
  );
}

function factsOf(span: SpanView, parent: SpanView | undefined): readonly (readonly [string, ComponentChildren])[] {
  const { node } = span;
  return [
    ['Operation', <code class="wrap">{`${node.method} ${node.route}`.trim()}</code>],
    ['Status', node.status > 0 || !hasFailed(node) ? <StatusBadge status={node.status} /> : 'error'],
    ...(node.error !== undefined ? [['Error', node.error] as const] : []),
    ['Starts at', duration(span.start)],
    ['Takes', duration(node.duration_ms)],
    ['Kind', node.kind ?? 'server'],
    ['Called by', parent ? <button type="button" class="link" onClick={() => selectSpan(parent.id)}>{parent.node.service}</button> : node.orphan ? 'a span that never arrived' : 'outside'],
    ['Span id', <span class="copyable"><code>{node.span_id}</code> <CopyButton text={node.span_id} label="Copy span id" /></span>],
  ]; // prettier-ignore
}

function Tags({ tags = {} }: { readonly tags?: Readonly<Record<string, string>> | undefined }) {
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <section>
      <h4>Tags</h4>
      <ul class="tags">
        {entries.map(([key, value]) => (
          <li key={key}>
            <button
              type="button"
              class="tag"
              title={`Show traces with ${key}:${value}`}
              onClick={() => setFilter({ tag: `${key}:${value}` })}
            >
              <span class="tag-key">{key}</span> {value}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Names({ title, names = [] }: { readonly title: string; readonly names?: readonly string[] | undefined }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h4>{title}</h4>
      <p class="names">
        {names.map((name) => (
          <code key={name}>{name}</code>
        ))}
      </p>
    </section>
  );
}

function Events({ events = [] }: { readonly events?: readonly unknown[] | undefined }) {
  if (events.length === 0) return null;
  return (
    <section>
      <h4>Events</h4>
      <ol class="events">
        {events.slice(0, MAX_EVENTS).map((event, at) => (
          <li key={at}>{eventText(event)}</li>
        ))}
      </ol>
      {events.length > MAX_EVENTS && <p class="muted">and {events.length - MAX_EVENTS} more</p>}
    </section>
  );
}

// What a service puts onto its timeline is its own; the usual members are read, anything else is shown as it is.
function eventText(event: unknown): ComponentChildren {
  if (typeof event !== 'object' || event === null) return String(event);
  const { name, at_ms: at, duration_ms: ms } = event as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return <code class="wrap">{JSON.stringify(event)}</code>;
  const times = [at, ms].filter((value): value is number => typeof value === 'number').map((value) => duration(value));
  return (
    <>
      {name} <span class="muted">{times.join(' · ')}</span>
    </>
  );
}
