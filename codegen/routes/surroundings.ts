import type { RouteEntry, UnresolvedNote } from './route-entry.js';

/** Settings of a router that apply to the routes registered on it. */
export interface Surroundings {
  readonly block: string;
  readonly prefix: string;
  /** Grows with `router.use`. */
  middleware: number;
  readonly tags: readonly string[];
  readonly hidden: boolean;
  readonly access: Access;
  /** Applies to every route below. */
  readonly unresolved: UnresolvedNote[];
}

/** Who may call a route. */
export type Access = Pick<RouteEntry, 'roles' | 'public'>;

/** The access of a route or group within that of its surroundings, by the rules of the router. */
export function accessWithin(outer: Access, own: OwnAccess): Access {
  if (own.public === true) return { public: true };
  if (own.roles === undefined) return outer;
  return { roles: own.roles.length === 0 ? (outer.roles ?? []) : [...new Set(own.roles)] };
}

/** The access that a route or group declares itself. */
export interface OwnAccess {
  readonly roles?: readonly string[];
  readonly public?: boolean;
}

/** Joins a group's prefix and a path as the router does: `/api` and `/` make `/api`, a trailing slash goes. */
export function joinedPath(prefix: string, path: string): string {
  const whole = prefix === '' || prefix === '/' ? path : path === '/' ? prefix : `${prefix.replace(/\/$/, '')}${path}`;
  return whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole;
}
