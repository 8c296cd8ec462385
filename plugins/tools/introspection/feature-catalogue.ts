import { rooms } from '#rooms';

/** One flag of a feature, as `fw_add` takes it. */
export interface FeatureFlag {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'number';
  readonly default: string | boolean | number;
  readonly usage: string;
  /** Minimum of a number. */
  readonly minimum?: number;
}

/** A feature that `fw_add` adds to a project: an entry in the plugin list of its app.config.ts. */
export interface Feature {
  readonly name: string;
  readonly summary: string;
  /**
   * Position among the features of a project, lowest first. The nine middlewares are in the order of SPEC "Middleware chain"; features that
   * observe requests are outside of them.
   */
  readonly priority: number;
  /** Module that app.config.ts imports. */
  readonly plugin: string;
  readonly aliases: readonly string[];
  readonly flags: readonly FeatureFlag[];
  /** Other features that affect what this one writes. */
  readonly consults: readonly string[];
}

type Rest = Partial<Pick<Feature, 'aliases' | 'flags' | 'consults'>>;

const feature = (name: string, priority: number, plugin: string, summary: string, rest: Rest = {}): Feature => ({
  name,
  summary,
  priority,
  plugin,
  aliases: [],
  flags: [],
  consults: [],
  ...rest,
});

const text = (name: string, value: string, usage: string): FeatureFlag => ({
  name,
  type: 'string',
  default: value,
  usage,
});
const flag = (name: string, value: boolean, usage: string): FeatureFlag => ({
  name,
  type: 'boolean',
  default: value,
  usage,
});
const count = (name: string, value: number, usage: string, minimum = 0): FeatureFlag => ({
  name,
  type: 'integer',
  default: value,
  usage,
  minimum,
});

interface KnownDialect {
  readonly name: string;
  readonly title: string;
  readonly clients?: readonly { readonly builtin: string }[];
  readonly address: { readonly default?: string };
}
const dialects = rooms.flatMap(({ manifest }) => (manifest.dialects ?? []) as readonly KnownDialect[]);
// A dialect without a server.
const DRIVER = (dialects.find(({ address }) => address.default !== undefined) ?? dialects[0])?.name ?? '';
const DIALECTS = `${dialects.map(({ name }) => name).join(', ')}, or the dialect of an installed package`;
const CLIENTS = `what it is reached through, where there is a choice: ${dialects
  .flatMap(({ title, clients = [] }) => clients.map(({ builtin }) => `${builtin} for ${title}`))
  .join(', ')}; empty for its driver`;

/** Every feature, in the order in which they stand in app.config.ts. */
export const FEATURES: readonly Feature[] = [
  feature('events', 5, 'fw/events', 'settings of the event bus: how much is handled at a time, how much may wait', {
    aliases: ['eventbus', 'event-bus', 'bus'],
    flags: [
      count('workers', 16, 'events whose listeners are at work at a time; at least 1', 1),
      count('queue-size', 1024, 'events that may wait; further ones are dropped and counted', 1),
      count('recorded', 256, 'dispatches that are remembered for the dashboard; 0 for none'),
    ],
  }),
  feature('fleet', 6, 'fw/fleet/tracer', 'distributed tracing: spans, traceparent, export to an aggregator', {
    aliases: ['tracing'],
    consults: ['dashboard'],
    flags: [
      text('service', '', 'stable service name shown in traces; default the project name'),
      text('transport', 'http', 'http, events or ws'),
      text('aggregator-url', 'http://localhost:9000/fleet', 'base URL of the Fleet Aggregator; empty disables export'),
      { name: 'sample-rate', type: 'number', default: 1, usage: 'root sampling probability, 0 to 1', minimum: 0 },
      flag('aggregator', false, 'run an aggregator in this application and export to it'),
    ],
  }),
  feature('dashboard', 8, 'fw/dashboard', 'what a person looks at: routes, requests, errors, logs, diagnostics', {
    flags: [
      text('basepath', '/dashboard', 'where it is mounted'),
      text('user', '', 'login; enforced when user and password are both set'),
      text('pass', '', 'password; better in the environment'),
    ],
  }),
  feature('recovery', 10, 'fw/middleware/recovery', 'answers 500 when a handler throws, and records it', {
    aliases: ['panics'],
  }),
  feature('logging', 20, 'fw/middleware/logging', 'one line per request: method, path, status, duration'),
  feature('ratelimit', 30, 'fw/middleware/rate-limit', 'fixed-window rate limit per client address', {
    aliases: ['rate-limit', 'rate_limit'],
    flags: [
      count('requests', 100, 'requests allowed per window; at least 1', 1),
      text('per', '1m', 'length of the window, e.g. 500ms, 10s, 1m'),
      text('message', '', 'body of the 429 response'),
    ],
  }),
  feature('i18n', 40, 'fw/middleware/locale', 'resolves the locale of a request and loads message catalogues', {
    aliases: ['locale', 'translations'],
    flags: [
      text('locales', 'en', 'comma-separated; the first is the default'),
      text('dir', './locales', 'folder with one JSON catalogue per locale'),
    ],
  }),
  feature('cors', 50, 'fw/middleware/cors', 'CORS headers and preflight answers', {
    flags: [
      text('origins', '*', '* or one origin'),
      text('methods', 'GET,POST,PUT,PATCH,DELETE,OPTIONS', 'allowed methods'),
      text('headers', 'Content-Type,Authorization', 'allowed request headers'),
      text('expose', '', 'response headers that a page may read'),
      flag('credentials', false, 'allow credentials; refused together with origin *'),
      count('max-age', 86_400, 'seconds that a preflight answer is kept'),
    ],
  }),
  feature('security', 60, 'fw/middleware/security-headers', 'twelve security headers, strict by default', {
    aliases: ['headers'],
    flags: [
      text('csp', '', 'Content-Security-Policy; empty keeps the strict default'),
      text('frame-options', '', 'X-Frame-Options; empty keeps the strict default'),
      text('referrer-policy', '', 'Referrer-Policy; empty keeps the strict default'),
    ],
  }),
  feature('jwt', 70, 'fw/middleware/jwt', 'JWT authentication; the boot fails when the secret is missing', {
    flags: [
      text('secret-env', 'JWT_ACCESS_SECRET', 'environment variable with the access secret'),
      flag('refresh', false, 'accept and rotate refresh tokens; their secret is in <secret-env>_REFRESH'),
      text('context-key', 'user', 'context key of the claims'),
      text('protect', '/api/**', 'comma-separated paths that need a token; ** stands for any number of segments'),
      text('methods', '', 'comma-separated methods that need a token, e.g. POST,PUT,PATCH,DELETE; empty: all'),
    ],
  }),
  feature('etag', 80, 'fw/middleware/etag', 'strong ETags and 304 answers', { aliases: ['cache'] }),
  feature('compression', 90, 'fw/middleware/compression', 'brotli, gzip or deflate, by Accept-Encoding', {
    aliases: ['gzip'],
  }),
  feature('docs', 120, 'fw/docs', 'OpenAPI document, reference UI and llms.txt', {
    aliases: ['openapi', 'open-api', 'swagger'],
    flags: [
      text('title', 'fw API', 'name of the API in the UI'),
      text('api-version', '1.0.0', 'version of the API'),
      text('description', '', 'long description'),
      text('json-path', '/openapi.json', 'where the document is served'),
      text('ui-path', '/docsui', 'where the UI is served; empty serves the document only'),
    ],
  }),
  feature('static', 130, 'fw/static', 'files of a folder, with ranges and conditional requests', {
    flags: [text('prefix', '/public', 'URL prefix; starts with /'), text('root', './public', 'folder with the files')],
  }),
  feature(
    'websocket',
    135,
    'fw/websocket',
    'a WebSocket endpoint that echoes or broadcasts, and a hub to send through',
    {
      aliases: ['ws', 'web-socket'],
      flags: [
        text('path', '/ws', 'where it is mounted'),
        flag('broadcast', false, 'send each message to all other connections instead of back'),
      ],
    },
  ),
  feature('mcp', 140, 'fw/mcp', 'control address of the running application for agents, read-only', {
    flags: [count('port', 2100, 'port of the control address; never the port of the application', 1)],
  }),
  feature('orm', 150, 'fw/orm', 'typed database access; tables are made from the models', {
    aliases: ['database'],
    flags: [text('driver', DRIVER, DIALECTS), text('client', '', CLIENTS)],
  }),
  feature(
    'migrations',
    160,
    'fw/orm',
    'the schema comes from migrations: a folder, npm scripts, no tables made at start',
    {
      aliases: ['migration', 'migrator', 'migrate'],
      consults: ['orm'],
      flags: [text('driver', DRIVER, `database, when the project has none yet: ${DIALECTS}`)],
    },
  ),
  feature('soft-delete', 165, 'fw/orm', 'rows that are deleted are marked, and not seen any more', {
    aliases: ['softdelete', 'paranoid'],
    consults: ['orm'],
    flags: [
      text('column', 'deleted_at', 'nullable date that says when a row was deleted'),
      text('model', '', 'model that gets the column, such as Order; empty when models have it already'),
    ],
  }),
];

const BY_NAME = new Map(FEATURES.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)));

/** A feature by its name or one of its aliases, in lower case. */
export function findFeature(name: string): Feature | undefined {
  return BY_NAME.get(name);
}
