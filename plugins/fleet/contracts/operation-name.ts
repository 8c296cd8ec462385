/** A parameter of a route, however it is named: `:id`, `*rest`, `{id}`. */
const PARAMETER = /^(?::|\*|\{.*\}$)/;

/** Name under which an operation is found. Routes are compared by their shape: parameters may be named differently. */
export function operationOf(method: string, route: string): string {
  return `${method.toUpperCase()} ${shapeOf(route)}`;
}

function shapeOf(route: string): string {
  const segments = route.split('/').map((segment) => (PARAMETER.test(segment) ? '{}' : segment));
  // A slash at the end does not count. Looking for the last segment takes one pass, which a pattern would not promise.
  const end = segments.findLastIndex((segment) => segment !== '');
  return segments.slice(0, Math.max(end, 1) + 1).join('/');
}
