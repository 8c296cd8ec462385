import type { LogicalWindow } from '../plan/logical.js';
import { formOf } from '../plan/rewrite.js';

/** What a window is sorted by. */
export type WindowKeys = Pick<LogicalWindow, 'partitions' | 'orders'>;

/** Whether what a window is sorted by begins what two others are sorted by, of which neither begins the other. */
export function beginsOthers(window: WindowKeys, all: readonly WindowKeys[]): boolean {
  const own = keysOf(window);
  const further = all.map(keysOf).filter((keys) => keys.length > own.length && begins(own, keys));
  return further.some((first) => further.some((second) => !begins(first, second) && !begins(second, first)));
}

const keysOf = ({ partitions, orders }: WindowKeys): readonly string[] => [
  ...partitions.map(formOf),
  ...orders.map(({ value, desc, nulls }) => [formOf(value), ...(desc ? ['desc'] : []), nulls].join(' ').trim()),
];

const begins = (some: readonly string[], all: readonly string[]): boolean => some.every((key, at) => all[at] === key);
