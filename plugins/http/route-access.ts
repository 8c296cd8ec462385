import { fwError, type RouteAccess, type RouteAuthenticator } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import type { ChainStep } from './middleware-chain.js';
import type { PathPattern } from './path-pattern.js';

/** Who may call a route, including the rules of its groups. */
export type Access = { readonly roles?: readonly string[]; readonly public?: true };

/** Where an access rule is declared, for errors. */
export interface AccessPlace {
  /** Such as `GET /api/orders`, or `the group /api`. */
  readonly what: string;
  readonly module: string;
}

/**
 * Who may call a route or the routes of a group: its own declaration within that of its group. An inner role list can only be shorter, so
 * that nothing is opened by accident; `public` opens on purpose.
 *
 * @param outer - access of the surrounding group
 * @throws FwError `FW_HTTP_ROUTE_ACCESS` when the two contradict each other
 */
export function accessWithin(outer: Access, own: RouteAccess, place: AccessPlace): Access {
  const refuse = (problem: string): never => {
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_ACCESS, { ...place, problem });
  };
  const { roles, public: isPublic } = own as { readonly roles?: unknown; readonly public?: unknown };
  if (isPublic !== undefined && typeof isPublic !== 'boolean') refuse('`public` is neither true nor false');
  if (roles !== undefined && !isRoleList(roles)) refuse('`roles` is not a list of names');
  // `roles: settings.admins` with undefined admins would open a route that was meant to be closed.
  if (roles === undefined && Object.hasOwn(own, 'roles')) refuse('`roles` is there, but undefined');
  if (isPublic === true && roles !== undefined) refuse('it says `public` and lists `roles`');
  if (isPublic === true) return { public: true };
  if (roles === undefined) return outer;
  return { roles: narrowed(outer.roles, roles as readonly string[], refuse) };
}

/** The access members of options, without missing ones. */
export function saidAccess(options: RouteAccess): RouteAccess {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name === 'roles' || name === 'public'));
}

function isRoleList(roles: unknown): roles is readonly string[] {
  return Array.isArray(roles) && roles.every((role) => typeof role === 'string' && role !== '');
}

function narrowed(
  outer: readonly string[] | undefined,
  own: readonly string[],
  refuse: (problem: string) => never,
): readonly string[] {
  if (outer === undefined || outer.length === 0) return [...new Set(own)];
  if (own.length === 0) return outer;
  const strange = own.find((role) => !outer.includes(role));
  if (strange !== undefined) refuse(`the role "${strange}" is not among those of its group (${outer.join(', ')})`);
  return [...new Set(own)];
}

/**
 * The step that checks the caller; undefined if the route has no access rule.
 * @throws FwError `FW_HTTP_NO_AUTHENTICATOR` when no plugin knows callers
 */
export function accessStep(
  { roles }: Access,
  authenticator: RouteAuthenticator | undefined,
  place: AccessPlace,
): readonly ChainStep[] {
  if (roles === undefined) return [];
  if (authenticator === undefined) throw fwError(HTTP_ERRORS.FW_HTTP_NO_AUTHENTICATOR, { ...place });
  return [authenticator.guard(roles) as ChainStep];
}

/**
 * Whether a route takes an encoded slash as data.
 * @throws FwError `FW_HTTP_ROUTE_PATTERN` where an encoded slash cannot be data
 */
export function encodedSlashesOf(wanted: unknown, { text, segments }: PathPattern, module: string): boolean {
  if (wanted !== true) return false;
  const refuse = (problem: string): never => {
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_PATTERN, { pattern: text, module, problem });
  };
  if (segments.some(({ kind }) => kind === 'wildcard')) {
    refuse('`encodedSlashes` cannot hold for a *wildcard, whose slashes separate segments');
  }
  if (!segments.some(({ kind }) => kind === 'param')) refuse('`encodedSlashes` needs a :parameter to take them');
  return true;
}
