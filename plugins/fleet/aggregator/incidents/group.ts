import type { BlastRadius, Consequence, IncidentCause } from '../../../../kernel/contracts/fleet-wire.js';
import { byText, grouped } from '../../../../kernel/values/index.js';
import type { FoundCause } from './causes.js';

/** Failures that have one cause. */
export interface FailureGroup {
  readonly key: string;
  /** The failing service that is nearest to the cause. */
  readonly radius: BlastRadius;
  readonly cause: IncidentCause | undefined;
  readonly consequences: readonly Consequence[];
  /** Whether the traces that tell the cause were whole. */
  readonly isSettled: boolean;
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
  const members = radii.flatMap((radius): readonly Member[] => {
    const found = causes.get(radius.service) ?? [];
    return found.length === 0 ? [{ radius, found: undefined }] : found.map((each) => ({ radius, found: each }));
  });
  const keyOf = ({ radius, found }: Member) => found?.key ?? `service\0${radius.service}`;
  return [...grouped(members, keyOf)].map(([key, group]) => groupOf(key, group));
}

function groupOf(key: string, members: readonly Member[]): FailureGroup {
  const leader = leaderOf(key, members);
  const others = members.filter((each) => each !== leader).map(({ radius }) => radius);
  return {
    key,
    radius: leader.radius,
    isSettled: members.some(({ found }) => found?.isSettled),
    // The leader is nearest to the cause, so its finding is preferred.
    cause: (leader.found ?? members.find(({ found }) => found !== undefined)?.found)?.cause,
    consequences: others
      .map(({ service, fails, error_rate, calls }) => ({ service, fails, error_rate, calls }))
      .sort((a, b) => b.calls * b.error_rate - a.calls * a.error_rate || byText(a.service, b.service)),
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
      byText(a.radius.service, b.radius.service),
  );
  return leader as Member;
}
