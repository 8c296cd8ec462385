import type { Incident } from '../../../../wire/fleet.js';
import { Badge } from '../../../components/badge.js';
import { count, percent, plural, span } from '../../../components/format.js';
import { Icon } from '../../../components/icon.js';
import { Moment } from '../../../components/moment.js';
import { Empty } from '../../../components/states.js';
import { blastOrigin, showBlast, showView, traceHref, traceListHref } from '../state/address.js';
import { useFleet } from '../state/context.js';
import { IncidentActions, IncidentNotes } from './incident-actions.js';

/** Open incidents above everything else, the one with the most affected services first. */
export function IncidentStrip() {
  const { store } = useFleet();
  const open = store.openIncidents.value
    .filter(({ silenced_until_unix: silenced }) => silenced === undefined)
    .sort(byWeight);
  const [first] = open;
  if (!first) return null;
  const isShown = blastOrigin.value === first.service;
  return (
    <div class="incident-strip" role="status">
      <Icon name="errors" />
      <p>
        <strong>{first.service}</strong> fails {percent(first.error_rate)} of its {workWord(first.fails, 0)}
        {first.cause && first.cause.name !== first.service && <> for <strong>{first.cause.name}</strong></>}.{' '}
        {first.affected.length > 0 ? (
          <>
            Affected: {first.affected.slice(0, 6).map(({ service, hops }, at) => (
              <span key={service}>{at > 0 && ', '}<a href={traceListHref({ service, status: 'error' })}>{service}</a> <small>{plural(hops, 'hop')}</small></span>
            ))}
            {first.affected.length > 6 && ` and ${first.affected.length - 6} more`}.
          </>
        ) : (
          'No other service is affected.'
        )}
      </p>
      <button type="button" class="button button-small" aria-pressed={isShown} onClick={() => showBlast(isShown ? '' : first.service)}>
        Blast radius
      </button>
      <a class="button button-small" href={first.cause ? traceHref(first.cause.trace_id, first.cause.span_id) : traceListHref({ service: first.service, status: 'error' })}>
        {first.cause ? 'See the cause' : 'Failing traces'}
      </a>
      {open.length > 1 && (
        <button type="button" class="link" onClick={() => showView('incidents')}>
          {open.length - 1} more
        </button>
      )}
    </div>
  ); // prettier-ignore
}

/** Incidents that are open, and those that were lately. */
export function IncidentsView() {
  const { store } = useFleet();
  const incidents = store.incidents.value;
  if (incidents.length === 0) {
    return (
      <Empty icon="check" title="No incidents">
        A service that fails a tenth of at least ten requests, or of at least ten messages and jobs, within a minute is
        one.
      </Empty>
    );
  }
  return (
    <ul class="incidents">
      {[...incidents].sort(byWeight).map((incident) => (
        <IncidentItem key={incident.id} incident={incident} />
      ))}
    </ul>
  );
}

// Open ones first, those that somebody has silenced behind the others, then by how many they drag along.
function byWeight(a: Incident, b: Incident): number {
  const rank = ({ state, silenced_until_unix: silenced }: Incident) =>
    state === 'open' ? (silenced === undefined ? 2 : 1) : 0;
  const weight = ({ affected, consequences }: Incident) => Math.max(affected.length, consequences.length);
  return rank(b) - rank(a) || weight(b) - weight(a) || b.last_unix - a.last_unix;
}

/** Affected services that are shown at once; they stand in the order of how much is explained. */
const SHOWN = 8;

function Affected({ of, services }: { readonly of: string; readonly services: Incident['affected'] }) {
  return (
    <ol class="affected" aria-label={`Services that ${of} drags along`}>
      {services.map((each) => (
        <li key={each.service}>
          <a href={traceListHref({ service: each.service, status: 'error' })}>{each.service}</a>
          <span class="muted">
            {' '}
            {plural(each.hops, 'hop')}
            {each.via !== undefined && ` via ${each.via}`} · {percent(each.attributed_share)} explained
          </span>
        </li>
      ))}
    </ol>
  );
}

// An aggregator of an earlier version says nothing, and knows only requests.
function workWord(fails: Incident['fails'] | undefined, many: number): string {
  const [one, several] = fails === 'work' ? ['message or job', 'messages and jobs'] : ['request', 'requests'];
  return many === 1 ? one : several;
}

const timeOf = (unix: number) => new Date(unix * 1000).toISOString();

function IncidentItem({ incident }: { readonly incident: Incident }) {
  const { id, service, state, affected, cause, consequences, opened_unix: opened, resolved_unix: resolved } = incident;
  const until = resolved ?? Math.floor(Date.now() / 1000);
  return (
    <li class={`incident incident-${state}`} id={`incident-${id}`}>
      <h2>
        <Badge tone={state === 'open' ? 'bad' : 'ok'}>{state}</Badge> {cause?.name ?? service}
        <Marks incident={incident} />
      </h2>
      <p>
        {service} fails {percent(incident.error_rate)} of {count(incident.calls)} {workWord(incident.fails, incident.calls)}, {percent(incident.peak_error_rate)} at
        worst · since <Moment time={timeOf(opened)} as="whole" /> · {span(Math.max(0, until - opened))}
      </p>
      {cause ? <Why cause={cause} /> : <p>No kept trace tells why.</p>}
      {consequences.length > 0 && (
        <details class="consequences">
          <summary>{plural(consequences.length, 'service')} failing for it</summary>
          <ul>
            {consequences.map((each) => (
              <li key={each.service}>
                <a href={traceListHref({ service: each.service, status: 'error' })}>{each.service}</a>{' '}
                <span class="muted">{percent(each.error_rate)} of {count(each.calls)} {workWord(each.fails, each.calls)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {affected.length > 0 && <Affected of={service} services={affected.slice(0, SHOWN)} />}
      {affected.length > SHOWN && (
        <details class="consequences">
          <summary>{affected.length - SHOWN} more affected</summary>
          <Affected of={service} services={affected.slice(SHOWN)} />
        </details>
      )}
      <IncidentNotes notes={incident.notes} />
      <div class="incident-actions">
        {cause && (
          <a class="button button-small" href={traceHref(cause.trace_id, cause.span_id)}>
            A trace of it
          </a>
        )}
        <a class="button button-small" href={traceListHref({ service, status: 'error' })}>
          Failing traces
        </a>
        <button type="button" class="button button-small" onClick={() => showBlast(service)}>
          Blast radius
        </button>
        <IncidentActions incident={incident} />
      </div>
    </li>
  ); // prettier-ignore
}

function Marks({ incident }: { readonly incident: Incident }) {
  const { acknowledged_unix: acknowledged, acknowledged_by: by, silenced_until_unix: silenced } = incident;
  return (
    <>
      {acknowledged !== undefined && <Badge tone="ok">acknowledged{by !== undefined && ` by ${by}`}</Badge>}
      {silenced !== undefined && (
        <Badge tone="quiet">
          silenced until <Moment time={timeOf(silenced)} />
        </Badge>
      )}
    </>
  );
}

function Why({ cause }: { readonly cause: NonNullable<Incident['cause']> }) {
  const how = [cause.status > 0 ? `status ${cause.status}` : '', cause.error ?? ''].filter((part) => part !== '');
  return (
    <div class="why">
      <p>
        <code>
          {cause.method} {cause.route}
        </code>{' '}
        {how.join(', ')}
      </p>
      <p>{cause.reason}</p>
      <details>
        <summary>
          Evidence: {cause.confidence}, in {percent(cause.share)} of the traces that were looked at
        </summary>
        <ol>
          {cause.evidence.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </details>
    </div>
  );
}
