import { memo } from '../memo.js';
import { duration } from '../../../components/format.js';
import { pathData } from '../model/arcs.js';
import { type BlastRadius, isOnTheWay } from '../model/blast-radius.js';
import type { Hop } from '../model/hops.js';
import type { PictureEdge } from '../model/picture.js';

/** Failed share from which a call is drawn as failing. */
const FAILING_FROM = 0.05;

/** How a call is drawn. */
export interface CallLook {
  readonly look: 'hop' | 'aside' | 'failing' | 'plain';
  readonly text: string;
  readonly spreading: boolean;
  readonly weight: number;
}

/**
 * Without an open trace the label is the window's aggregate; with one it is the time of that trace's hop, with a count when the
 * hop was called more than once.
 */
export function lookOf(
  edge: PictureEdge,
  hop: Hop | undefined,
  radius: BlastRadius | undefined,
  hasTrace: boolean,
  labelled: boolean,
): CallLook {
  const { traffic } = edge;
  const isFailing = traffic !== undefined && traffic.error_rate >= FAILING_FROM;
  return {
    look: hop ? 'hop' : hasTrace ? 'aside' : isFailing ? 'failing' : 'plain',
    text: labelOf(edge, hop, hasTrace, labelled),
    spreading: radius !== undefined && isOnTheWay(radius, edge),
    weight: weightOf(edge),
  };
}

/** Middle of the label. */
interface LabelAt {
  readonly labelX: number;
  readonly labelY: number;
}

/** A call as two arcs, there and back. Drawn again only when it looks different: numbers come every two seconds. */
export const Call = memo(function Call({
  caller,
  callee,
  arcs,
  look,
  text,
  spreading,
  weight,
  labelX,
  labelY,
}: CallLook & LabelAt & Pick<PictureEdge, 'caller' | 'callee' | 'arcs'>) {
  return (
    <g class={`call call-${look}${spreading ? ' is-spreading' : ''}`} data-caller={caller} data-callee={callee}>
      <path data-arc="request" class="arc arc-request" d={pathData(arcs.request)} stroke-width={weight} />
      <path data-arc="response" class="arc arc-response" d={pathData(arcs.response)} stroke-width={weight} />
      {text !== '' && (
        <text class="call-label" x={labelX} y={labelY - 5}>
          {text}
        </text>
      )}
    </g>
  );
});

function labelOf({ traffic }: PictureEdge, hop: Hop | undefined, hasTrace: boolean, labelled: boolean): string {
  if (hop) return hop.calls > 1 ? `${duration(hop.total)} ×${hop.calls}` : duration(hop.total);
  if (hasTrace || !labelled || traffic === undefined || traffic.calls === 0) return '';
  return `${brief(traffic.p50_ms)} · ${brief(traffic.p95_ms)} ms`;
}

function brief(ms: number): string {
  return ms >= 10 ? String(Math.round(ms)) : String(Number(ms.toFixed(1)));
}

// Ten times the calls are a little more ink.
function weightOf({ traffic }: PictureEdge): number {
  const weight = 1.2 + Math.min(1.6, Math.log10(1 + (traffic?.calls ?? 0)) * 0.45);
  return Math.round(weight * 10) / 10;
}
