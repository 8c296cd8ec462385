import { type TSchema, Type } from 'typebox';
import {
  type Duration,
  DurationSchema,
  HTTP_METHODS,
  type HttpContext,
  type HttpMethod,
  type Logger,
  withDefault,
} from '../../../kernel/index.js';
import { RedisOption } from '../../../kernel/redis/index.js';
import type { Claims } from './claims.js';
import { foreignKeysSchema } from './foreign-keys.js';
import type { RefreshStore } from './refresh-store.js';
import type { SigningMethod } from './signing.js';
import type { TokenLookup } from './token-lookup.js';

/** Options of `jwtAuthMiddleware` (SPEC "JWTOptions"); those after `enableRefreshToken` are ours. */
export interface JWTOptions {
  /** HMAC key of access tokens; required. */
  readonly accessSecret: string;
  /** HMAC key of refresh tokens; required with `enableRefreshToken`. */
  readonly refreshSecret?: string;
  /** The only method that is accepted; default HS256. */
  readonly signingMethod?: SigningMethod;
  /** Where tokens are read; default the Authorization Bearer header. An exception or rejection refuses the request. */
  readonly tokenLookup?: TokenLookup;
  /** Answers a refused request, synchronously or not; default 401 problem+json without the reason. */
  readonly onUnauthorized?: (context: HttpContext, error: Error) => unknown;
  /** Key of `ctx.state` under which the claims are; default `user`. */
  readonly userContextKey?: string;
  /** The claim `role` (text or a list) must be one of these; default anybody. */
  readonly requiredRoles?: readonly string[];
  /**
   * A further check of the claims: only `true`, or a promise of it, lets a request pass. An exception or rejection refuses the request and
   * is logged.
   */
  readonly claimsValidator?: (claims: Claims) => boolean | Promise<boolean>;
  /** Accepts and rotates refresh tokens; default false. */
  readonly enableRefreshToken?: boolean;
  /** Where the current refresh token of each login is remembered; default the memory of this process. */
  readonly refreshStore?: RefreshStore;
  /** How long a refresh token gives the same successor again, for requests in parallel; default and at most 10s. */
  readonly refreshLeeway?: Duration;
  /** Status of a request whose role does not suffice; default 401. */
  readonly roleFailureStatus?: 401 | 403;
  /** Seconds by which clocks may differ; default 0. */
  readonly clockTolerance?: number;
  /** Whether a token must have an `exp`; default true. Refresh tokens always must. */
  readonly requireExpiry?: boolean;
  /** Values of which the claim `aud` must have one (RFC 7519, section 4.1.3); default any, or none. */
  readonly audience?: readonly string[];
  /** Values of which the claim `iss` must be one (RFC 7519, section 4.1.1); default any, or none. */
  readonly issuer?: readonly string[];
  /** Schema of the claims: a token whose claims do not fit is refused, with the reason in the log; default anything fits. */
  readonly claims?: TSchema;
  /** Most verified tokens that are remembered; default 4096, 0 switches it off. */
  readonly tokenCacheSize?: number;
  /** Milliseconds since the epoch; default the machine's clock. */
  readonly now?: () => number;
  /**
   * `warn` gets failing callbacks, an unreachable store, and tokens that are used twice; default process warnings. `info` gets the reason
   * of each refused token, which the client does not see.
   */
  readonly log?: Pick<Logger, 'warn'> & Partial<Pick<Logger, 'info'>>;
}

const callback = <Callback>(description: string) =>
  Type.Optional(Type.Unsafe<Callback>({ typeof: 'function', description }));

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description }));

export const jwtOptionsSchema = Type.Object({
  accessSecret: withDefault(Type.String({ description: 'HMAC key of access tokens; required', secret: true }), ''),
  verifier: Type.Optional(foreignKeysSchema),
  refreshSecret: Type.Optional(Type.String({ description: 'HMAC key of refresh tokens', secret: true })),
  signingMethod: withDefault(
    Type.Union([Type.Literal('HS256'), Type.Literal('HS384'), Type.Literal('HS512')], {
      description: 'The only method that is accepted',
    }),
    'HS256',
  ),
  tokenLookup: callback<TokenLookup>('Where tokens are read; default the Authorization Bearer header'),
  onUnauthorized: callback<NonNullable<JWTOptions['onUnauthorized']>>(
    'Answers a refused request; default 401 problem+json without the reason',
  ),
  claimsValidator: callback<NonNullable<JWTOptions['claimsValidator']>>(
    'A further check of the claims; nothing but true, or a promise of it, passes',
  ),
  userContextKey: withDefault(Type.String({ description: 'Key of ctx.state for the claims', minLength: 1 }), 'user'),
  requiredRoles: withDefault(
    Type.Array(Type.String(), { description: 'Roles of which the claim `role` must be one' }),
    [],
  ),
  enableRefreshToken: withDefault(Type.Boolean({ description: 'Accepts and rotates refresh tokens' }), false),
  refreshLeeway: withDefault(
    DurationSchema({
      description: 'How long a refresh token gives the same successor again, for requests in parallel',
      most: '10s',
    }),
    '10s',
  ),
  redis: RedisOption(
    'fw:jwt:refresh:',
    'Keeps the current refresh tokens in Redis, for several instances and across restarts',
  ),
  roleFailureStatus: withDefault(
    Type.Union([Type.Literal(401), Type.Literal(403)], { description: 'Status when the role does not suffice' }),
    401,
  ),
  clockTolerance: withDefault(Type.Number({ description: 'Seconds by which clocks may differ', minimum: 0 }), 0),
  requireExpiry: withDefault(Type.Boolean({ description: 'Whether a token must have an `exp`' }), true),
  audience: names('Values of which the claim `aud` must have one'),
  issuer: names('Values of which the claim `iss` must be one'),
  claims: Type.Optional(
    Type.Unsafe<TSchema>({
      type: 'object',
      description: 'Schema of the claims; a token whose claims do not fit is refused. AppTypes gives ctx.user its type',
    }),
  ),
  tokenCacheSize: withDefault(
    Type.Integer({ description: 'Most verified tokens that are remembered; 0 switches it off', minimum: 0 }),
    4096,
  ),
  protect: withDefault(
    Type.Array(Type.String({ pattern: '^/' }), {
      description: 'Paths that need a token; `*` is one segment, `**` any number of them',
    }),
    ['/**'],
  ),
  methods: withDefault(
    Type.Array(Type.Unsafe<HttpMethod>({ type: 'string', enum: [...HTTP_METHODS] }), {
      description:
        'Methods that need a token on those paths, e.g. POST and DELETE for writes alone; GET means HEAD too; empty: all of them',
    }),
    [],
  ),
  except: withDefault(
    Type.Array(Type.String({ pattern: '^/' }), { description: 'Paths among them that need none, e.g. /api/login' }),
    [],
  ),
});
