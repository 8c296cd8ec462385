import type { RouteInfo } from './http.js';

const places = new WeakMap<RouteInfo, () => string | undefined>();

/** Remembers where a route was registered; the place is computed only when somebody asks. */
export function noteRoutePlace(route: RouteInfo, place: () => string | undefined): void {
  places.set(route, place);
}

/** Where a route was registered: `app/routes/users.ts:12`; undefined where nobody knows. */
export function routePlaceOf(route: RouteInfo): string | undefined {
  return places.get(route)?.();
}
