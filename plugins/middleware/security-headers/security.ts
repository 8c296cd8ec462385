import { randomBytes } from 'node:crypto';
import { direct, fwError, HitCounter, type HttpContext, ok, type ProbeReport } from '../../../kernel/index.js';
import { HeaderBlock, type ProbedMiddleware, setHeaderBlock, withProbe } from '../../http/index.js';
import { SECURITY_ERRORS } from './errors.js';
import { SECURITY_HEADERS, type SecurityOptions, STRICT } from './headers.js';
import type { SecuritySetter } from './setters.js';

/** The middleware, with a function that only sets its headers, for responses of outer middlewares. */
export type SecurityMiddleware = ProbedMiddleware & { readonly apply: (context: HttpContext) => void };

/**
 * Sets the twelve security headers before the handler runs, so that a handler can override one (SPEC "Middleware chain", 6).
 *
 * @param overrides - setters, or an object with some of the values; both change single values of the strict set. A policy with `{nonce}` in
 *   it gets a new nonce for each request (Content Security Policy Level 3, section 7.1); {@link cspNonce} returns it for the page.
 *
 * @throws FwError `FW_SECURITY_HEADER` when a value cannot be a header value
 *
 * @example app.use(securityMiddleware(withContentSecurityPolicy("default-src 'self' https://cdn.example")));
 */
export function securityMiddleware(
  ...overrides: readonly (SecuritySetter | Partial<SecurityOptions>)[]
): SecurityMiddleware {
  const options = overrides.reduce<SecurityOptions>(
    (current, override) => (typeof override === 'function' ? override(current) : { ...current, ...override }),
    STRICT,
  );
  const setHeaders = headerWriter(headersOf(options));
  const counter = new HitCounter({ hit: 'responses_secured', miss: 'skipped' });
  const apply = (context: HttpContext) => {
    counter.hit();
    setHeaders(context);
  };
  const security = direct(function security(context, next) {
    apply(context);
    return next();
  });
  return Object.assign(
    withProbe(security, () => probeReport(options, counter)),
    { apply },
  );
}

/** Key of the nonce in `ctx.state`, for templates. */
const NONCE_STATE = 'cspNonce';
const PLACEHOLDER = '{nonce}';
/** 128 bits, the minimum of the standard. */
const NONCE_BYTES = 16;

/** The nonce of a request; undefined when the policy has no `{nonce}` or the middleware is not installed. */
export function cspNonce(context: HttpContext): string | undefined {
  return context.state[NONCE_STATE] as string | undefined;
}

function headerWriter(headers: readonly (readonly [string, string])[]): (context: HttpContext) => void {
  const fixed = new HeaderBlock(headers.filter(([, value]) => !value.includes(PLACEHOLDER)));
  const varying = headers.filter(([, value]) => value.includes(PLACEHOLDER));
  if (varying.length === 0) return ({ res }) => setHeaderBlock(res, fixed);
  return ({ res, state }) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    state[NONCE_STATE] = nonce;
    setHeaderBlock(res, fixed);
    for (const [name, value] of varying) res.setHeader(name, value.replaceAll(PLACEHOLDER, nonce));
  };
}

/** {@link securityMiddleware} with the strict set as it is. */
export function defaultSecurityMiddleware(): SecurityMiddleware {
  return securityMiddleware();
}

function headersOf(options: SecurityOptions): readonly (readonly [string, string])[] {
  return SECURITY_HEADERS.flatMap(([field, name]) => {
    const value = options[field];
    if (!/^[\t\x20-\x7e]*$/.test(value)) throw fwError(SECURITY_ERRORS.FW_SECURITY_HEADER, { name });
    return value === '' ? [] : [[name, value] as const];
  });
}

const WORTH_A_NOTE: readonly (keyof SecurityOptions)[] = [
  'contentSecurityPolicy',
  'xFrameOptions',
  'strictTransportSecurity',
];

function probeReport(options: SecurityOptions, counter: HitCounter): ProbeReport {
  const unset = SECURITY_HEADERS.filter(([field]) => WORTH_A_NOTE.includes(field) && options[field] === '');
  const detail = {
    content_security_policy: options.contentSecurityPolicy,
    x_frame_options: options.xFrameOptions,
    referrer_policy: options.referrerPolicy,
    hsts: options.strictTransportSecurity,
  };
  const notes = unset.length > 0 ? [`Not sent: ${unset.map(([, name]) => name).join(', ')}`] : [];
  const count = SECURITY_HEADERS.filter(([field]) => options[field] !== '').length;
  return ok(`${count} of 12 security headers on every response.`, counter.facts(detail, notes));
}
