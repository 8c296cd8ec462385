import type { Incident } from '../../../../wire/fleet.js';
import { Badge } from '../../../components/badge.js';
import { clock, percent, plural, span } from '../../../components/format.js';
import { Icon } from '../../../components/icon.js';
import { Empty } from '../../../components/states.js';
import { blastOrigin, showBlast, showView, traceListHref } from '../state/address.js';
import { useFleet } from '../state/context.js';

/** Open incidents above everything else, the one with the most affected services first. */
export function IncidentStrip() {
  const { store } = useFleet();
  const open = [...store.openIncidents.value].sort(byWeight);
  const [first] = open;
  if (!first) return null;
  const isShown = blastOrigin.value === first.service;
  return (
    <div class="incident-strip" role="status">
      <Icon name="errors" />
      <p>
        <strong>{first.service}</strong> fails {percent(first.error_rate)} of its requests.{' '}
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
      <a class="button button-small" href={traceListHref({ service: first.service, status: 'error' })}>
        Failing traces
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
        A service that fails a tenth of at least ten requests within a minute is one.
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

// Open ones first, then by how many they drag along.
function byWeight(a: Incident, b: Incident): number {
  const isOpen = ({ state }: Incident) => (state === 'open' ? 1 : 0);
  return isOpen(b) - isOpen(a) || b.affected.length - a.affected.length || b.last_unix - a.last_unix;
}

function IncidentItem({ incident }: { readonly incident: Incident }) {
  const { service, state, affected, opened_unix: opened, resolved_unix: resolved } = incident;
  const until = resolved ?? Math.floor(Date.now() / 1000);
  return (
    <li class={`incident incident-${state}`}>
      <h2>
        <Badge tone={state === 'open' ? 'bad' : 'ok'}>{state}</Badge> {service}
      </h2>
      <p>
        {percent(incident.error_rate)} of {plural(incident.calls, 'request')}, {percent(incident.peak_error_rate)} at
        worst · since {clock(new Date(opened * 1000).toISOString())} · {span(Math.max(0, until - opened))}
      </p>
      {affected.length > 0 && (
        <ol class="affected" aria-label={`Services that ${service} drags along`}>
          {affected.map((each) => (
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
      )}
      <div class="incident-actions">
        <button type="button" class="button button-small" onClick={() => showBlast(service)}>
          Blast radius
        </button>
        <a class="button button-small" href={traceListHref({ service, status: 'error' })}>
          Failing traces
        </a>
      </div>
    </li>
  );
}
