import type { UnresolvedNote } from './route-entry.js';

/** What a router hands down to the routes that are registered on it. */
export interface Surroundings {
  readonly block: string;
  readonly prefix: string;
  /** Grows with `router.use`. */
  middleware: number;
  readonly tags: readonly string[];
  readonly hidden: boolean;
  /** Applies to every route below. */
  readonly unresolved: UnresolvedNote[];
}

/** Joins a group's prefix and a path as the router does: `/api` and `/` make `/api`, a trailing slash goes. */
export function joinedPath(prefix: string, path: string): string {
  const whole = prefix === '' || prefix === '/' ? path : path === '/' ? prefix : `${prefix.replace(/\/$/, '')}${path}`;
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
}
