import type { BlastRadius, Consequence, IncidentCause } from '../../../../kernel/contracts/fleet-wire.js';
import type { FoundCause } from './causes.js';

/** Failures that have one cause. */
export interface FailureGroup {
  readonly key: string;
  /** The failing service that is nearest to the cause. */
  readonly radius: BlastRadius;
  readonly cause: IncidentCause | undefined;
  readonly consequences: readonly Consequence[];
}

interface Member {
  readonly radius: BlastRadius;
  readonly found: FoundCause | undefined;
}

/** Groups failing services by cause. A service with an unknown cause is a group of its own. */
export function groupByCause(
  radii: readonly BlastRadius[],
  causes: ReadonlyMap<string, readonly FoundCause[]>,
): readonly FailureGroup[] {
  const groups = new Map<string, Member[]>();
  const add = (key: string, member: Member) => groups.set(key, [...(groups.get(key) ?? []), member]);
  for (const radius of radii) {
    const found = causes.get(radius.service) ?? [];
    if (found.length === 0) add(`service\0${radius.service}`, { radius, found: undefined });
    for (const each of found) add(each.key, { radius, found: each });
  }
  return [...groups].map(([key, members]) => groupOf(key, members));
}

function groupOf(key: string, members: readonly Member[]): FailureGroup {
  const leader = leaderOf(key, members);
  const others = members.filter((each) => each !== leader).map(({ radius }) => radius);
  return {
    key,
    radius: leader.radius,
    // The leader is nearest to the cause, so its finding is preferred.
    cause: (leader.found ?? members.find(({ found }) => found !== undefined)?.found)?.cause,
    consequences: others
      .map(({ service, error_rate, calls }) => ({ service, error_rate, calls }))
      .sort((a, b) => b.calls * b.error_rate - a.calls * a.error_rate || (a.service < b.service ? -1 : 1)),
  };
}

// The service that is the cause, else the one that observed it, else the one that affects the most others.
function leaderOf(key: string, members: readonly Member[]): Member {
  const rank = ({ radius, found }: Member) => {
    if (key === `service\0${radius.service}`) return 0;
    return found?.cause.service === radius.service ? 1 : 2;
  };
  const [leader] = members.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      b.radius.affected.length - a.radius.affected.length ||
      b.radius.calls * b.radius.error_rate - a.radius.calls * a.radius.error_rate ||
      (a.radius.service < b.radius.service ? -1 : 1),
  );
  return leader as Member;
}
