import type { HttpContext, Middleware } from '../../../kernel/index.js';
import type { DashboardAccess, Denied } from './access.js';

/** Turns a request away. @returns the body of the answer */
export function deny(context: HttpContext, { status, body, headers = {} }: Denied): Denied['body'] {
  context.set({ ...headers });
  context.status = status;
  return body;
}

/** Guards the opening of a WebSocket. */
export function guardSocket(access: DashboardAccess): Middleware {
  return (context, next) => {
    context.set('Cache-Control', 'no-store');
    const denied = access.checkSocket(context);
    if (!denied) return next();
    context.body = deny(context, denied);
    return undefined;
  };
}
