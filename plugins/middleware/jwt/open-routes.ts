import type { RouteGuard, RouteInfo } from '../../../kernel/index.js';

/** Routes that the warning names. */
const NAMED = 3;

/**
 * A warning about routes that are open without a declaration: no `roles`, no `public`, and no guard for any of their paths. Undefined when
 * there are none.
 */
export function openRoutesWarning(
  routes: readonly RouteInfo[],
  guards: readonly Pick<RouteGuard, 'guards'>[],
): string | undefined {
  const open = routes.filter((route) => isOpen(route, guards));
  if (open.length === 0) return undefined;
  const named = open.slice(0, NAMED).map(({ method, path }) => `${method} ${path}`);
  const more = open.length > named.length ? `, and ${open.length - named.length} more` : '';
  const which = open.length === 1 ? '1 route is' : `${open.length} routes are`;
  return `${which} open to everybody without saying so: ${named.join(', ')}${more}. Say \`roles\` or \`public: true\` there, or cover them with \`protect\``;
}

function isOpen(
  { method, path, roles, public: isPublic, ownDoor }: RouteInfo,
  guards: readonly Pick<RouteGuard, 'guards'>[],
) {
  if (roles !== undefined || isPublic || ownDoor) return false;
  return guards.every((guard) => guard.guards(method, path) === false);
}
