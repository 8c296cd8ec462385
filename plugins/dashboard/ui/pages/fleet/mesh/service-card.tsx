import type { TrafficSummary } from '../../../../wire/fleet.js';
import { memo } from '../memo.js';
import { duration } from '../../../components/format.js';
import { CARD, type Point } from '../model/graph-layout.js';
import { type ServiceGroup, stateOfGroup } from '../model/part-of-fleet.js';
import type { FleetService } from '../model/service-state.js';
import { shortened } from './text-width.js';

/** What the open trace or a blast radius says about a service. */
export type Role = 'cause' | 'origin' | 'affected' | 'derived' | 'plain' | 'aside';

/** Room of a name, in pixels of the picture. */
const NAME_WIDTH = CARD.width - 36;
const LABELS: Readonly<Record<Role, string>> = {
  cause: 'ROOT CAUSE',
  origin: 'ORIGIN',
  affected: 'AFFECTED',
  derived: 'DERIVED',
  plain: '',
  aside: '',
};

/** Content of a card. A card is rendered again only when it changes. */
interface ServiceLook {
  readonly name: string;
  readonly state: FleetService['state'];
  /** How often and how fast. */
  readonly quick: string;
  /** How much of it failed; empty for nothing. */
  readonly failed: string;
}

export function lookOfService(service: FleetService): ServiceLook {
  const { name, state } = service;
  const node = trafficOf(service);
  if (!node) return { name, state, quick: stateWord(state), failed: '' };
  const rate = rateOf(service, node);
  if (node.error_rate === 0) return { name, state, quick: `${rate} · ${duration(node.p95_ms)}`, failed: '' };
  const failed = ` · ${node.error_rate >= 0.1 ? Math.round(node.error_rate * 100) : (node.error_rate * 100).toFixed(1)} %`;
  // A card has room for three short numbers, or for two.
  return { name, state, quick: rate.endsWith('/s') ? `${rate} · ${duration(node.p95_ms)}` : rate, failed };
}

/** A group of services: how many there are, and how many of them are not well. */
export function lookOfGroup(name: string, group: ServiceGroup): ServiceLook {
  const bad = group.members.filter(({ state }) => state === 'down' || state === 'degraded').length;
  const all = `${group.members.length} services`;
  // Both numbers and the words of both do not fit into a card.
  const [quick, failed] = bad === 0 ? [all, ''] : [`${bad} of ${group.members.length}`, ' not well'];
  return { name, state: stateOfGroup(group), quick, failed };
}

/** A service in the mesh: state by shape, colour and word. */
export const ServiceCard = memo(function ServiceCard({
  name,
  state,
  quick,
  failed,
  place,
  role,
  hops,
  selected,
  onSelect,
}: ServiceLook & {
  readonly place: Point;
  readonly role: Role;
  /** Calls to the origin of the blast radius. */
  readonly hops: number | undefined;
  readonly selected: boolean;
  readonly onSelect: (name: string) => void;
}) {
  const [left, top] = [-CARD.width / 2, -CARD.height / 2];
  const label = roleLabel(role, hops);
  const numbers = `${quick}${failed}`;
  return (
    <g
      class={`svc svc-${state} role-${role}`}
      transform={`translate(${place.x} ${place.y})`}
      role="button"
      tabIndex={0}
      aria-pressed={selected}
      data-service={name}
      onClick={() => onSelect(name)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        onSelect(name);
      }}
    >
      <title>{[name, stateWord(state), numbers, label.toLowerCase()].filter(Boolean).join(', ')}</title>
      <rect class="svc-ring" x={left - 4} y={top - 4} width={CARD.width + 8} height={CARD.height + 8} rx={12} />
      <rect class="svc-box" x={left} y={top} width={CARD.width} height={CARD.height} rx={9} />
      <StateShape state={state} x={left + 16} y={-7} />
      <text class="svc-name" x={left + 28} y={-3}>
        {shortened(name, NAME_WIDTH)}
      </text>
      <text class="svc-numbers" x={left + 13} y={14}>
        {quick}
        {failed !== '' && <tspan class="svc-errors">{failed}</tspan>}
      </text>
      {label !== '' && (
        <g class="svc-role" transform={`translate(${left + 10} ${top})`}>
          <rect x={0} y={-8} width={label.length * 6.7 + 12} height={15} rx={7.5} />
          <text x={6} y={3}>
            {label}
          </text>
        </g>
      )}
    </g>
  );
});

/** A disc for up, a triangle for degraded, a cross for down, a ring for a service that sends no heartbeats. */
function StateShape({
  state,
  x,
  y,
}: {
  readonly state: FleetService['state'];
  readonly x: number;
  readonly y: number;
}) {
  const at = { transform: `translate(${x} ${y})`, class: `shape shape-${state}` };
  if (state === 'degraded') return <path {...at} d="M0 -5.5L5.6 4.5H-5.6Z" />;
  if (state === 'down') return <path {...at} d="M-4 -4L4 4M4 -4L-4 4" />;
  return <circle {...at} r={state === 'silent' ? 3.6 : 4.6} />;
}

export function stateWord(state: FleetService['state']): string {
  return state === 'silent' ? 'no heartbeat' : state;
}

function roleLabel(role: Role, hops: number | undefined): string {
  return role === 'affected' && hops !== undefined ? `${hops} HOP${hops === 1 ? '' : 'S'} AWAY` : LABELS[role];
}

// A service that answers no requests has messages and jobs instead.
function trafficOf({ node }: FleetService): TrafficSummary | undefined {
  if (node && node.calls > 0) return node;
  return node?.work && node.work.calls > 0 ? node.work : undefined;
}

function rateOf({ info, node }: FleetService, { calls }: TrafficSummary): string {
  if (info && info.rps > 0) return `${info.rps >= 10 ? Math.round(info.rps) : Number(info.rps.toFixed(1))}/s`;
  const what = node?.calls ? 'call' : 'job';
  if (calls === 1) return `1 ${what}`;
  return `${calls >= 10_000 ? `${Math.round(calls / 1000)}k` : calls} ${what}s`;
}
