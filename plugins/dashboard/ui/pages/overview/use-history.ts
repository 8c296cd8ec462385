import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PerformancePoint, TrafficPoint } from '../../../wire/api.js';
import { snapshot } from '../../api/live.js';

/** Five minutes, second by second. */
const POINTS = 300;

/** Seconds that are shown, oldest first. */
export interface History {
  readonly traffic: readonly TrafficPoint[];
  readonly performance: readonly PerformancePoint[];
  /** Seconds since the epoch of the points of `traffic`. */
  readonly times: readonly number[];
}

/** What was fetched, continued by what the live connection brings. */
export function useHistory(fetched: Pick<History, 'traffic' | 'performance'> | undefined): History {
  const [added, setAdded] = useState<Pick<History, 'traffic' | 'performance'>>({ traffic: [], performance: [] });
  const seen = useRef('');
  const newest = snapshot.value;
  useEffect(() => {
    if (!newest || newest.time === seen.current) return;
    seen.current = newest.time;
    setAdded((before) => ({
      traffic: [...before.traffic, newest.traffic].slice(-POINTS),
      performance: [...before.performance, newest.performance].slice(-POINTS),
    }));
  }, [newest]);
  return useMemo(() => {
    const traffic = joined(fetched?.traffic, added.traffic);
    const times = traffic.map(({ time }) => Date.parse(time) / 1000);
    return { traffic, performance: joined(fetched?.performance, added.performance), times };
  }, [fetched, added]);
}

function joined<Point extends { readonly time: string }>(
  first: readonly Point[] = [],
  later: readonly Point[],
): readonly Point[] {
  const end = first.at(-1)?.time ?? '';
  return [...first, ...later.filter(({ time }) => time > end)].slice(-POINTS);
}
