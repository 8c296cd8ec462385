import type { Next } from 'koa';
import {
  degraded,
  direct,
  fwError,
  HitCounter,
  type HttpContext,
  ok,
  type ProbeReport,
} from '../../../kernel/index.js';
import {
  decidesCors,
  isPreflight,
  preflightAnswered,
  type ProbedMiddleware,
  varyBy,
  withProbe,
} from '../../http/index.js';
import { CORS_ERRORS } from './errors.js';
import { originTest, type OriginTest, type TestedOrigins } from './origin-test.js';

/** Values of the CORS headers (SPEC "CORSOptions"); empty and missing ones are not sent. Tests of origins are an addition of fw. */
export interface CORSOptions extends TestedOrigins {
  /** `*` or one origin, sent as it is; or several origins separated by commas, of which the requesting one is sent. */
  readonly allowOrigins?: string;
  /** Methods with commas. */
  readonly allowMethods?: string;
  /** Header names with commas. */
  readonly allowHeaders?: string;
  /** Header names with commas. */
  readonly exposeHeaders?: string;
  /** `true` or nothing. */
  readonly allowCredentials?: string;
  /** Seconds as a decimal string. */
  readonly maxAge?: string;
}

const HEADERS = [
  ['allowMethods', 'Access-Control-Allow-Methods'],
  ['allowHeaders', 'Access-Control-Allow-Headers'],
  ['exposeHeaders', 'Access-Control-Expose-Headers'],
  ['allowCredentials', 'Access-Control-Allow-Credentials'],
  ['maxAge', 'Access-Control-Max-Age'],
] as const;

/**
 * Sends the configured CORS headers on every response and answers preflights (SPEC "Middleware chain", 5). Browsers reject a wildcard
 * together with credentials.
 *
 * @throws FwError `FW_CORS_OPTION` when a value cannot be a header value, `FW_CORS_PATTERN`, `FW_CORS_EVERY_ORIGIN`
 */
export function corsMiddleware(options: CORSOptions = {}): ProbedMiddleware {
  const { apply, answer } = corsParts(options);
  const cors = direct(function cors(context, next) {
    apply(context);
    return answer(context, next as Next);
  });
  return withProbe(cors, answer.probe);
}

/** The two halves of the middleware, for the plugin, which also sets the headers on responses of outer middlewares. */
interface CORSParts {
  /** Sets the headers. */
  readonly apply: (context: HttpContext) => void;
  /** Answers preflights, and sets no headers. */
  readonly answer: ProbedMiddleware;
}

/** Makes {@link CORSParts}. Throws what {@link corsMiddleware} throws. */
export function corsParts(options: CORSOptions): CORSParts {
  const fixed = HEADERS.flatMap(([field, header]) => {
    const value = checked(field, options[field]);
    return value ? [[header, value] as const] : [];
  });
  const allowOrigin = originWriter(checked('allowOrigins', options.allowOrigins), originTest(options));
  const counter = new HitCounter({ hit: 'preflight_answered', miss: 'simple_requests' });
  const apply = (context: HttpContext) => {
    decidesCors(context);
    allowOrigin(context);
    for (const [header, value] of fixed) context.res.setHeader(header, value);
  };
  const answer = direct(function cors(context, next) {
    // Any other OPTIONS request is left to the application.
    if (!isPreflight(context)) {
      counter.miss();
      return next();
    }
    counter.hit();
    context.status = 204;
    preflightAnswered(context);
    return undefined;
  });
  return { apply, answer: withProbe(answer, () => probeReport(options, counter)) };
}

function originWriter(allowOrigins: string, isAllowed?: OriginTest): (context: HttpContext) => void {
  const origins = allowOrigins.split(',').map((origin) => origin.trim());
  if (isAllowed && origins.includes('*')) throw fwError(CORS_ERRORS.FW_CORS_EVERY_ORIGIN, {});
  if (allowOrigins === '' && !isAllowed) return () => {};
  if (origins.length === 1 && !isAllowed) {
    return ({ res }) => void res.setHeader('Access-Control-Allow-Origin', allowOrigins);
  }
  const known = new Set(origins);
  const addVary = varyBy('Origin');
  return (context) => {
    // The response depends on the origin, even when it is refused.
    addVary(context.res);
    const origin = context.req.headers.origin;
    if (origin !== undefined && (known.has(origin) || isAllowed?.(origin)))
      context.res.setHeader('Access-Control-Allow-Origin', origin);
  };
}

function checked(field: Exclude<keyof CORSOptions, keyof TestedOrigins>, value: string | undefined): string {
  if (value === undefined || /^[\t\x20-\x7e]*$/.test(value)) return value ?? '';
  throw fwError(CORS_ERRORS.FW_CORS_OPTION, { field });
}

function probeReport(options: CORSOptions, counter: HitCounter): ProbeReport {
  const origins = options.allowOrigins ?? '';
  const detail = {
    allow_origins: origins,
    ...(options.originPatterns && { origin_patterns: options.originPatterns }),
    custom_origin_test: options.allowOrigin !== undefined,
    allow_methods: options.allowMethods ?? '',
    allow_headers: options.allowHeaders ?? '',
    allow_credentials: options.allowCredentials ?? '',
  };
  if (options.originPatterns || options.allowOrigin)
    return ok('Origins are allowed by name, pattern or function.', counter.facts(detail));
  if (/[^,\s]\*|\*[^,\s]/.test(origins))
    return degraded('Browsers know no `*` inside an origin: write it into originPatterns.', counter.facts(detail));
  if (origins === '')
    return ok(
      'No origin is allowed.',
      counter.facts(detail, ['allowOrigins is empty: browsers refuse every cross-origin response.']),
    );
  const extra = counter.facts(detail, origins === '*' ? ['Every origin may read the responses.'] : []);
  return origins === '*' && options.allowCredentials === 'true'
    ? degraded('Browsers reject allowOrigins "*" together with allowCredentials "true".', extra)
    : ok(`Allowed: ${origins}`, extra);
}
