import { Type } from 'typebox';
import { DurationSchema, LONGEST_TIMER, type ResolvedOptions, withDefault } from '../../kernel/index.js';
import { DEFAULT_DEPTH_LIMIT, DEFAULT_FIELD_LIMIT } from './input-bounds.js';
import { healthOptionsSchema } from './health/health-options.js';
import { tlsOptionsSchema } from './tls/tls-options.js';

/** 1 MiB. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;

export const httpOptionsSchema = Type.Object({
  host: withDefault(
    Type.String({ description: 'Address to listen on; 0.0.0.0 or :: for all interfaces', minLength: 1 }),
    '127.0.0.1',
  ),
  port: withDefault(Type.Integer({ description: 'TCP port; 0 takes a free one', minimum: 0, maximum: 65_535 }), 3000),
  tls: Type.Optional(tlsOptionsSchema),
  http2: Type.Optional(
    Type.Boolean({
      description:
        'Speaks HTTP/2 beside HTTP/1.1: with `tls` to clients that choose it in the handshake, else to clients that begin with it (prior knowledge). Default: with `tls`',
    }),
  ),
  bodyLimit: withDefault(
    Type.Integer({ description: 'Largest request body in bytes; a route may set its own', minimum: 0 }),
    DEFAULT_BODY_LIMIT,
  ),
  fieldLimit: withDefault(
    Type.Integer({
      description: 'Most pairs of a query, answered 414, and fields of a form, answered 413',
      minimum: 1,
    }),
    DEFAULT_FIELD_LIMIT,
  ),
  depthLimit: withDefault(
    Type.Integer({
      description: 'How deep lists and objects of a request body may be nested',
      minimum: 1,
      maximum: 1000,
    }),
    DEFAULT_DEPTH_LIMIT,
  ),
  uploadFolder: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder that has to exist, in which uploaded files are kept until their request is over; default the temporary folder of the system',
    }),
  ),
  trustedProxies: withDefault(
    Type.Array(Type.String(), {
      description: 'Addresses or ranges of proxies whose X-Forwarded-For, -Proto and -Host are believed',
    }),
    [],
  ),
  openDoors: withDefault(
    Type.Union([Type.Literal('development'), Type.Literal('local'), Type.Literal('everyone')], {
      description:
        'Who passes doors whose credential is not set (dashboard, Fleet aggregator): `development` this machine, and nobody with profile prod, on a listener beyond loopback or with trusted proxies; `local` this machine in any case; `everyone` whoever reaches the server',
    }),
    'development',
  ),
  maxHeaderSize: withDefault(
    Type.Integer({ description: 'Largest request line plus headers in bytes; more is answered 431', minimum: 1024 }),
    65_536,
  ),
  shutdownTimeout: withDefault(
    DurationSchema({
      description: 'How long running requests may take to finish when the server stops',
      most: LONGEST_TIMER,
    }),
    '10s',
  ),
  keepAliveTimeout: withDefault(
    DurationSchema({ description: 'How long an idle connection is kept', most: LONGEST_TIMER }),
    '120s',
  ),
  headersTimeout: withDefault(
    DurationSchema({ description: 'How long a client may take to send its headers', most: LONGEST_TIMER }),
    '30s',
  ),
  requestTimeout: withDefault(
    DurationSchema({
      description:
        'How long a client may take to send the body of a request; one that takes longer is answered 408; 0 for no end',
      most: LONGEST_TIMER,
    }),
    '5m',
  ),
  sendTimeout: withDefault(
    DurationSchema({
      description:
        'How long a client may go without reading anything that waits for it (an answer, a stream, messages of a WebSocket) before its connection is cut; each byte that it reads begins the time again; 0 for no end',
      most: LONGEST_TIMER,
    }),
    '60s',
  ),
  handlerTimeout: withDefault(
    DurationSchema({
      description:
        'How long a handler may take before its request is answered 503 and `ctx.signal` aborted; a route may set its own; 0 for no end',
      most: LONGEST_TIMER,
    }),
    0,
  ),
  inFlight: Type.Optional(
    Type.Object(
      {
        requests: Type.Integer({ description: 'Requests that are answered at a time, streams included', minimum: 1 }),
        retryAfter: Type.Optional(
          DurationSchema({
            description: 'How long those that were refused are asked to wait (Retry-After); default 1s',
          }),
        ),
      },
      {
        additionalProperties: false,
        description:
          'Answers 503 to requests beyond so many at a time; routes with `evenWhenBusy` are always answered, and WebSockets do not count. Default: no bound',
      },
    ),
  ),
  health: Type.Optional(
    Type.Union([Type.Literal(false), healthOptionsSchema], {
      description:
        'Paths at which health checks are answered; `false` for none. A route of the application under the same path comes first',
    }),
  ),
  cookieKeys: Type.Optional(
    Type.Array(Type.String({ minLength: 16, secret: true }), {
      minItems: 1,
      description:
        'Keys that sign cookies: the first one signs, all of them are taken, so that a new one is put in front. `ctx.cookies` signs and checks then, unless told `signed: false`',
    }),
  ),
  fastPath: withDefault(
    Type.Union([Type.Literal('full'), Type.Literal('public'), Type.Literal('off')], {
      description:
        'How requests are served: `full` also uses parts of Node that are not documented, after a self-test at boot; `public` only documented ones; `off` is Koa as it is',
    }),
    'full',
  ),
  workers: withDefault(
    Type.Object(
      {
        size: Type.Optional(Type.Integer({ description: 'Threads; default one less than the processors', minimum: 1 })),
        queue: Type.Optional(
          Type.Integer({ description: 'Requests that may wait; default 16 per thread', minimum: 0 }),
        ),
        timeout: Type.Optional(
          DurationSchema({
            description: 'How long a blocking handler may run; default 30s, 0 for no end',
            most: LONGEST_TIMER,
          }),
        ),
      },
      { additionalProperties: false, description: 'The pool that runs blocking handlers' },
    ),
    {},
  ),
});

/** Options of the http plugin, as a person writes them in `app.config.ts` with the defaults filled in. */
export type HttpOptions = ResolvedOptions<typeof httpOptionsSchema>;
