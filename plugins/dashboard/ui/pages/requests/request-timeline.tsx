import type { RequestDetail, TimelineStep } from '../../../wire/api.js';
import { duration } from '../../components/format.js';

/** Narrower bars could not be seen. */
const NARROWEST_PERCENT = 0.8;
const KINDS = { query: 'Query', event: 'Event', log: 'Log' } as const;

/** What happened while the request was answered, each where it began and as long as it took. */
export function RequestTimeline({ timeline, duration_ms, steps_dropped, correlated }: RequestDetail) {
  if (!correlated) {
    return (
      <p class="muted">
        This application does not tell which request a query belongs to. Switch on <code>timeline</code> of the
        dashboard, or the tracer of Fleet.
      </p>
    );
  }
  if (timeline.length === 0) return <p class="muted">No query, no event and no log line belongs to this request.</p>;
  return (
    <>
      <ol class="timeline">
        {timeline.map((step, index) => (
          <Step key={index} step={step} total={duration_ms} />
        ))}
      </ol>
      {steps_dropped > 0 && <p class="muted">{steps_dropped} more steps were not kept.</p>}
    </>
  );
}

function Step({ step, total }: { readonly step: TimelineStep; readonly total: number }) {
  const { kind, name, at_ms, duration_ms, failed } = step;
  const left = share(at_ms, total);
  const width = Math.max(NARROWEST_PERCENT, Math.min(100 - left, share(duration_ms, total)));
  return (
    <li class={`step step-${kind}${failed ? ' step-failed' : ''}`}>
      <div class="step-text">
        <span class="step-kind">{KINDS[kind]}</span>
        <span class="step-name mono" title={name}>
          {name}
        </span>
        {failed && <span class="bad">failed</span>}
        <span class="muted step-time">{kind === 'log' ? `at ${duration(at_ms)}` : duration(duration_ms)}</span>
      </div>
      <svg class="step-bar" width="100%" height="6" aria-hidden="true">
        <rect class="step-track" width="100%" height="6" rx="3" />
        <rect class="step-mark" x={`${left}%`} width={`${width}%`} height="6" rx="3" />
      </svg>
    </li>
  );
}

function share(ms: number, total: number): number {
  return total > 0 ? Math.min(100 - NARROWEST_PERCENT, (ms / total) * 100) : 0;
}
